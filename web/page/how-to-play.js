// The manual on the page: how-to-play.md as HTML. The manual has headings, paragraphs, tables, numbered lists,
// pictures, links, code, bold and italic words only, so this small converter is enough.

const $ = (id) => document.getElementById(id);

function element(name, ...content) {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}

/** Converts bold and italic words, code, pictures and links. A link becomes plain text. */
function inline(text) {
  const parts = [];
  let rest = text;
  const forms = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|!\[(.*?)\]\((.+?)\)|\[(.+?)\]\((.+?)\)/;
  for (let found = forms.exec(rest); found; found = forms.exec(rest)) {
    parts.push(rest.slice(0, found.index));
    if (found[1]) parts.push(element("b", ...inline(found[1])));
    else if (found[2]) parts.push(element("i", found[2]));
    else if (found[3]) parts.push(element("code", found[3]));
    else if (found[5]) parts.push(Object.assign(element("img"), { alt: found[4], src: found[5], loading: "lazy" }));
    else parts.push(found[6]);
    rest = rest.slice(found.index + found[0].length);
  }
  return [...parts, rest];
}

const cells = (line, name) => line.split("|").slice(1, -1).map((cell) => element(name, ...inline(cell.trim())));

function block(lines) {
  const [first] = lines;
  const heading = /^(#+) (.*)/.exec(first);
  if (heading) {
    const rest = lines.length > 1 ? block(lines.slice(1)) : [];
    return [element(`h${heading[1].length + 1}`, heading[2]), ...rest];
  }
  if (first.startsWith("|")) {
    const [head, , ...rows] = lines;
    const body = rows.map((row) => element("tr", ...cells(row, "td")));
    return [element("table", element("thead", element("tr", ...cells(head, "th"))), element("tbody", ...body))];
  }
  if (/^\d+\. /.test(first)) {
    const items = lines.join(" ").split(/(?:^| )\d+\. /).filter(Boolean);
    return [element("ol", ...items.map((item) => element("li", ...inline(item))))];
  }
  return [element("p", ...inline(lines.join(" ")))];
}

function render(text) {
  return text.trim().split(/\n\s*\n/).flatMap((part) => block(part.split("\n").map((line) => line.trim())));
}

async function open() {
  const content = $("manual-text");
  $("manual-dialog").showModal();
  if (content.childElementCount > 0) return;
  content.textContent = "Loading…";
  try {
    const response = await fetch("how-to-play.md");
    if (!response.ok) throw new Error(`how-to-play.md: ${response.status}`);
    content.replaceChildren(...render(await response.text()));
  } catch (error) {
    content.textContent = `The manual could not be loaded. ${error.message}`;
  }
}

export function addManual() {
  $("manual").addEventListener("click", open);
}
