// The workshop of the page: power, panels, time, logic analyser, files, memory and boards.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "../support/test.mjs";
import { eventually } from "../support/eventually.mjs";
import { downloaded, visit } from "../support/visitor.mjs";

const pageFile = async (name) => Buffer.from(await (await fetch(new URL(name, process.env.LIGHTS_OUT_ADDRESS))).arrayBuffer());

/** A file on disk for the page's file dialogue. */
async function withFile(name, bytes, use) {
  const folder = await mkdtemp(join(tmpdir(), "lights-out-file-"));
  await writeFile(join(folder, name), bytes);
  await use(join(folder, name));
  await rm(folder, { recursive: true });
}

test("game and panels are there after power and reload", () => visit(async (visitor) => {
  await visitor.tap(11);
  await visitor.tap(18);
  await visitor.step(1000);
  const lights = await visitor.lit();
  await visitor.click("#power");
  await visitor.step(50);
  await visitor.expectLit(0);
  assert.equal(await visitor.evaluate(() => document.getElementById("power").ariaChecked), "false");
  await visitor.click("#power");
  await visitor.step(500);
  await visitor.expectText("log", "power-up 1");
  await visitor.expectLit(lights);
  const open = () => visitor.evaluate(() => ["choices", "workshop"].map((id) => document.getElementById(id).open));
  assert.deepEqual(await open(), [false, false]);
  await visitor.click("#workshop > summary");
  // The browser tells the page of it a little later.
  await visitor.until(() => Object.values(localStorage).some((text) => text.includes('"workshop":true')));
  await visitor.reload();
  assert.deepEqual(await open(), [false, true]);
  await visitor.expectText("log", "power-up 2");
  await visitor.expectText("status", "2 moves");
  await visitor.expectLit(lights);
  await visitor.command("undo");
  await visitor.step(50);
  await visitor.expectText("status", "1 move");
}));

test("time is paused and stepped, and the analyser shows a press", () => visit(async (visitor) => {
  await visitor.unfold("workshop");
  await visitor.command("hint");
  await visitor.step(100);
  await visitor.click("#pause");
  await visitor.step(1000);
  const [moment, frames] = [parseFloat(await visitor.text("moment")), await visitor.text("frames")];
  await visitor.click("#step");
  await visitor.step(0);
  assert.ok(Math.abs(parseFloat(await visitor.text("moment")) - moment - 0.001) < 0.0006);
  await visitor.click("#step-frame");
  await visitor.step(0);
  assert.notEqual(await visitor.text("frames"), frames);
  await visitor.click("#pause");
  await visitor.step(600);
  assert.ok(parseFloat(await visitor.text("moment")) > moment + 0.5);
  await visitor.click("#record");
  await visitor.expectText("trace-tip", "press a key");
  await visitor.tap(12);
  await visitor.step(100);
  await visitor.untilText("trace-tip", "in sight");
  const whole = await visitor.text("trace-tip");
  await visitor.click("#zoom-in");
  await visitor.until((words) => document.getElementById("trace-tip").textContent !== words, whole);
  await visitor.click("#zoom-out");
  await visitor.untilText("trace-tip", whole);
  const colours = await visitor.evaluate(() =>
    new Set(new Uint32Array(document.getElementById("trace").getContext("2d").getImageData(60, 0, 300, 250).data.buffer)).size);
  assert.ok(colours > 4, "lines are drawn");
  const painted = await visitor.evaluate(() => document.getElementById("curve").getContext("2d").getImageData(0, 0, 640, 96).data.some((value) => value > 0));
  assert.ok(painted, "the curve");
}));

test("firmware files are opened, and what is none is refused", () => visit(async (visitor) => {
  const lights = await visitor.lit();
  await withFile("Cargo.toml", "[package]", (path) => visitor.openFile(path).then(() => visitor.untilText("notice", "neither an ELF file nor a UF2 file")));
  await visitor.dropFile("broken.flash", Buffer.from("LightsOutFlash1\nand then nothing right"));
  await visitor.untilText("notice", "damaged");
  await visitor.expectLit(lights);
  const elf = await pageFile("firmware-rp2040.elf");
  await withFile("lights-out", elf, (path) => visitor.openFile(path).then(() => visitor.untilText("notice", "lights-out is running. The memory is as it was.")));
  await visitor.step(1500);
  await visitor.expectText("status", "Level 1");
  // A file brings its board.
  await visitor.dropFile("lights-out-2", await pageFile("firmware-rp2350.elf"));
  await visitor.untilText("notice", "lights-out-2 is running, on a Pico 2, which has a memory of its own.");
  assert.equal(await visitor.text("board"), "Pico 2");
  // After a reload the page's own firmware runs, on the board that was chosen, and the last one is at hand.
  await visitor.until(async () => (await caches.match("last-firmware"))?.headers.get("X-Name") === "lights-out-2");
  await visitor.reload();
  assert.equal(await visitor.text("board"), "Pico");
  await visitor.untilText("last", "Run lights-out-2 again");
  await visitor.unfold("workshop");
  await visitor.click("#last");
  await visitor.untilText("notice", "lights-out-2 is running");
  await visitor.click("#own");
  await visitor.untilText("running", "this page’s own");
  await visitor.step(1500);
  await visitor.expectText("status", "Level 1");
}));

test("memory and log go out, and a memory comes back to its board", () => visit(async (visitor) => {
  const choose = async (chip, board) => {
    await visitor.click(`#boards input[value=${chip}] + span`);
    await visitor.untilText("notice", `This is the ${board} now, with a memory of its own.`);
    await visitor.step(1500);
  };
  await visitor.unfold("workshop");
  await visitor.tap(12);
  await visitor.step(1000);
  await choose("rp2350", "Pico 2");
  assert.deepEqual([await visitor.text("board"), await visitor.text("chip")], ["Pico 2", "RP2350"]);
  await visitor.expectText("status", "Level 1 · 0 moves");
  await visitor.tap(7);
  await visitor.tap(8);
  await visitor.step(1000);
  await visitor.expectText("status", "2 moves");
  await visitor.click("#export");
  const memory = await eventually(() => readFile(downloaded("lights-out-pico2.flash")), (bytes) => bytes.length > 0);
  await visitor.click("#save-log");
  await eventually(() => readFile(downloaded("lights-out-pico2.log"), "utf8"), (text) => text.includes("\tinfo\tstatus scene="));
  // The choice and the game are there the next time, and the other board's game was not touched.
  await visitor.reload();
  assert.equal(await visitor.text("board"), "Pico 2");
  await visitor.expectText("status", "2 moves");
  await visitor.command("undo");
  await visitor.step(1000);
  await choose("rp2040", "Pico");
  await visitor.expectText("status", "Level 1 · 1 move");
  await visitor.dropFile("mine.flash", memory);
  await visitor.untilText("notice", "mine.flash is the memory of a Pico 2, so this is the Pico 2 now.");
  await visitor.step(1500);
  await visitor.expectText("status", "Level 1 · 2 moves");
  await visitor.dropFile("mine.flash", memory);
  await visitor.untilText("notice", "The memory is now that of mine.flash.");
  // As it was at first, for the next test.
  await visitor.fresh();
  await choose("rp2040", "Pico");
}));
