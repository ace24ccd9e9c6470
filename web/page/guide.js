// How to play, on the page: the project's own how-to-play.md, which has headings, paragraphs, tables, lists, pictures, bold and
// italic words, and nothing else.

const $ = (id) => document.getElementById(id);

function element(name, ...content) {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}

/** Bold and italic words, pictures, links. */
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
  if (heading) return [element(`h${heading[1].length + 1}`, heading[2]), ...(lines.length > 1 ? block(lines.slice(1)) : [])].flat();
  if (first.startsWith("|")) {
    const [head, , ...rows] = lines;
    const table = element("table", element("thead", element("tr", ...cells(head, "th"))), element("tbody", ...rows.map((row) => element("tr", ...cells(row, "td")))));
    return [table];
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
  const place = $("guide-text");
  $("guide-dialog").showModal();
  if (place.childElementCount > 0) return;
  place.textContent = "Loading…";
  try {
    const answer = await fetch("how-to-play.md");
    if (!answer.ok) throw new Error(`how-to-play.md: ${answer.status}`);
    place.replaceChildren(...render(await answer.text()));
  } catch (error) {
    place.textContent = `It could not be loaded. ${error.message}`;
  }
}

export function makeGuide() {
  $("guide").addEventListener("click", open);
}
