// How fast the page is on this computer, for `cargo measure --page`: told, not judged, because it depends on what else the computer does.

import { readFile, readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { browserProcess, closeBrowser, visitAnew } from "./support/visitor.mjs";

const PRESSES = 20;
const PULSING = 5000;

const rows = [];
const tell = (name, value) => rows.push([name, value]);
const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const spread = (numbers) => {
  const all = sorted(numbers);
  return `${all[Math.floor(all.length / 2)].toFixed(0)} ms, at most ${all.at(-1).toFixed(0)} ms`;
};

/** Processor seconds of the browser and all its processes; null where the system does not tell. */
async function processorSeconds() {
  try {
    const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const stats = await Promise.all(ids.map((id) => readFile(`/proc/${id}/stat`, "utf8").catch(() => "")));
    const all = stats.filter(Boolean).map((stat) => {
      // The name in brackets may have spaces.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return { id: Number(stat.split(" ", 1)), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
    });
    const family = new Set([browserProcess().pid]);
    for (let before = 0; before < family.size;) {
      before = family.size;
      all.filter(({ parent }) => family.has(parent)).forEach(({ id }) => family.add(id));
    }
    return all.filter(({ id }) => family.has(id)).reduce((sum, { ticks }) => sum + ticks, 0) / 100;
  } catch {
    return null;
  }
}

await visitAnew(async (visitor) => {
  await visitor.until(() => document.documentElement.dataset.firstFrame && !["", "Hello."].includes(document.getElementById("status").textContent));
  tell("first picture after", `${await visitor.evaluate(() => document.documentElement.dataset.firstFrame)} ms`);

  await visitor.evaluate(() => {
    const look = () => [...document.querySelectorAll(".light")].map((light) => light.style.opacity).join();
    [window.waits, window.longTasks] = [[], []];
    document.addEventListener("pointerdown", ({ timeStamp }) => {
      const before = look();
      const wait = () => {
        if (look() !== before) window.waits.push(performance.now() - timeStamp);
        else requestAnimationFrame(wait);
      };
      requestAnimationFrame(wait);
    }, { capture: true });
    if (PerformanceObserver.supportedEntryTypes.includes("longtask")) {
      new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
    } else window.longTasks = null;
  });
  for (let press = 1; press <= PRESSES; press += 1) {
    await visitor.click(".key:nth-child(21)");
    await visitor.until((count) => window.waits.length === count, press);
  }
  tell("pointer to light", spread(await visitor.evaluate(() => window.waits)));

  const commands = [];
  for (const [name, words] of [["menu", "Menu"], ["menu", "Level 1"], ["hint", "hint: row"], ["restart", "0 moves"], ["undo", `${PRESSES} moves`]]) {
    const started = performance.now();
    await visitor.command(name);
    await visitor.untilText("status", words);
    commands.push(performance.now() - started);
  }
  tell("command to status, driver included", spread(commands));
  for (const id of ["guide", "share"]) {
    await visitor.click(`#${id}`);
    await visitor.until((dialog) => document.getElementById(dialog).open, `${id}-dialog`);
    await visitor.evaluate((dialog) => document.getElementById(dialog).close(), `${id}-dialog`);
  }
  const tasks = await visitor.evaluate(() => window.longTasks);
  tell("tasks over 50 ms after start", tasks ? `${tasks.length}${tasks.length ? `, at most ${Math.max(...tasks)} ms` : ""}` : "not told by this browser");

  await visitor.command("hint");
  await visitor.untilText("status", "hint: row");
  const before = await processorSeconds();
  await sleep(PULSING);
  const after = await processorSeconds();
  if (before !== null) tell("a pulsing hint, all of the browser", `${((after - before) / PULSING * 1e5).toFixed(0)} % of a core`);
}, { isHeld: false });
await closeBrowser();

console.log(`\n${process.env.LIGHTS_OUT_BROWSER_KIND}`);
rows.forEach(([name, value]) => console.log(`  ${name.padEnd(38)}${value}`));
