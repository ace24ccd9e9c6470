// Measures the speed of the page on this computer, for `cargo measure --page`. There are no limits, because the
// figures depend on what else the computer does.

import { readFile, readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { browserProcess, closeBrowser, onNewPage } from "./support/page-driver.mjs";

const PRESSES = 20;
/** The time for which the processor load is measured, in ms. */
const LOAD_TIME = 5000;

const rows = [];
const record = (name, value) => rows.push([name, value]);
const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const spread = (numbers) => {
  const all = sorted(numbers);
  return `${all[Math.floor(all.length / 2)].toFixed(0)} ms, at most ${all.at(-1).toFixed(0)} ms`;
};

/** Processor seconds of all processes of the browser; null if the system has no /proc. */
async function processorSeconds() {
  try {
    const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const stats = await Promise.all(ids.map((id) => readFile(`/proc/${id}/stat`, "utf8").catch(() => "")));
    const all = stats.filter(Boolean).map((stat) => {
      // The name in brackets may contain spaces.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const ticks = Number(fields[11]) + Number(fields[12]);
      return { id: Number(stat.split(" ", 1)), parent: Number(fields[1]), ticks };
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

await onNewPage(async (driver) => {
  await driver.until(() => {
    const isGreeting = ["", "Hello."].includes(document.getElementById("status").textContent);
    return document.documentElement.dataset.firstFrame && !isGreeting;
  });
  record("first frame after", `${await driver.evaluate(() => document.documentElement.dataset.firstFrame)} ms`);

  await driver.evaluate(() => {
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
      const addTasks = (list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration));
      new PerformanceObserver(addTasks).observe({ type: "longtask" });
    } else window.longTasks = null;
  });
  for (let press = 1; press <= PRESSES; press += 1) {
    await driver.click(".key:nth-child(21)");
    await driver.until((count) => window.waits.length === count, press);
  }
  record("pointer to light", spread(await driver.evaluate(() => window.waits)));

  const commands = [];
  const steps = [
    ["menu", "Menu"], ["menu", "Level 1"], ["hint", "hint: row"], ["restart", "0 moves"], ["undo", `${PRESSES} moves`],
  ];
  for (const [name, text] of steps) {
    const started = performance.now();
    await driver.command(name);
    await driver.untilText("status", text);
    commands.push(performance.now() - started);
  }
  record("command to status, driver included", spread(commands));
  for (const id of ["manual", "share"]) {
    await driver.click(`#${id}`);
    await driver.until((dialog) => document.getElementById(dialog).open, `${id}-dialog`);
    await driver.evaluate((dialog) => document.getElementById(dialog).close(), `${id}-dialog`);
  }
  const tasks = await driver.evaluate(() => window.longTasks);
  const longest = tasks?.length ? `, at most ${Math.max(...tasks)} ms` : "";
  record("tasks over 50 ms after start", tasks ? `${tasks.length}${longest}` : "not available in this browser");

  await driver.command("hint");
  await driver.untilText("status", "hint: row");
  const before = await processorSeconds();
  await sleep(LOAD_TIME);
  const after = await processorSeconds();
  const load = (after - before) / LOAD_TIME * 1e5;
  if (before !== null) record("load of the browser during a hint", `${load.toFixed(0)} % of a core`);
}, { isClockStopped: false });
await closeBrowser();

console.log(`\n${process.env.LIGHTS_OUT_BROWSER_KIND}`);
rows.forEach(([name, value]) => console.log(`  ${name.padEnd(38)}${value}`));
