// The workshop of the page, with power and panels: time, logic analyser, files, memory and boards.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "../support/test.mjs";
import { eventually } from "../support/eventually.mjs";
import { downloaded, onPage } from "../support/page-driver.mjs";

/** The bytes of a file of the page. */
async function pageFile(name) {
  const response = await fetch(new URL(name, process.env.LIGHTS_OUT_ADDRESS));
  return Buffer.from(await response.arrayBuffer());
}

/** Opens a file with the page's file dialog, and waits for a notice. */
async function openFile(driver, name, bytes, notice) {
  const folder = await mkdtemp(join(tmpdir(), "lights-out-file-"));
  await writeFile(join(folder, name), bytes);
  await driver.openFile(join(folder, name));
  await driver.untilText("notice", notice);
  await rm(folder, { recursive: true });
}

test("game and panels survive power-off and reload", () => onPage(async (driver) => {
  await driver.tap(11);
  await driver.tap(18);
  await driver.step(1000);
  const lights = await driver.lit();
  await driver.click("#power");
  await driver.step(50);
  await driver.expectLit(0);
  assert.equal(await driver.evaluate(() => document.getElementById("power").ariaChecked), "false");
  await driver.click("#power");
  await driver.step(500);
  await driver.expectText("log", "power-up 1");
  await driver.expectLit(lights);
  const open = () => driver.evaluate(() => ["choices", "workshop"].map((id) => document.getElementById(id).open));
  assert.deepEqual(await open(), [false, false]);
  await driver.click("#workshop > summary");
  // The browser sends the event a little later.
  await driver.until(() => Object.values(localStorage).some((text) => text.includes('"workshop":true')));
  await driver.reload();
  assert.deepEqual(await open(), [false, true]);
  await driver.expectText("log", "power-up 2");
  await driver.expectText("status", "2 moves");
  await driver.expectLit(lights);
  await driver.command("undo");
  await driver.step(50);
  await driver.expectText("status", "1 move");
}));

test("time is paused and stepped, and a press is recorded", () => onPage(async (driver) => {
  await driver.openPanel("workshop");
  await driver.command("hint");
  await driver.step(100);
  await driver.click("#pause");
  await driver.step(1000);
  const [uptime, frames] = [parseFloat(await driver.text("uptime")), await driver.text("frames")];
  await driver.click("#step");
  await driver.step(0);
  assert.ok(Math.abs(parseFloat(await driver.text("uptime")) - uptime - 0.001) < 0.0006);
  await driver.click("#step-frame");
  await driver.step(0);
  assert.notEqual(await driver.text("frames"), frames);
  await driver.click("#pause");
  await driver.step(600);
  assert.ok(parseFloat(await driver.text("uptime")) > uptime + 0.5);
  await driver.click("#record");
  await driver.expectText("trace-tip", "Press a key");
  await driver.tap(12);
  await driver.step(100);
  await driver.untilText("trace-tip", "visible");
  const whole = await driver.text("trace-tip");
  await driver.click("#zoom-in");
  await driver.until((text) => document.getElementById("trace-tip").textContent !== text, whole);
  await driver.click("#zoom-out");
  await driver.untilText("trace-tip", whole);
  const colours = await driver.evaluate(() => {
    const { data } = document.getElementById("trace").getContext("2d").getImageData(60, 0, 300, 250);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  assert.ok(colours > 4, "the signals are drawn");
  const isDrawn = await driver.evaluate(() => {
    const { data } = document.getElementById("curve").getContext("2d").getImageData(0, 0, 640, 96);
    return data.some((value) => value > 0);
  });
  assert.ok(isDrawn, "the curve is drawn");
}));

test("firmware files are opened, other files are refused", () => onPage(async (driver) => {
  const lights = await driver.lit();
  await openFile(driver, "Cargo.toml", "[package]", "neither an ELF file nor a UF2 file");
  await driver.dropFile("broken.flash", Buffer.from("LightsOutFlash1\nand then nothing right"));
  await driver.untilText("notice", "damaged");
  await driver.expectLit(lights);
  const elf = await pageFile("firmware-rp2040.elf");
  await openFile(driver, "lights-out", elf, "lights-out is running. The memory is unchanged.");
  await driver.step(1500);
  await driver.expectText("status", "Level 1");
  // A file determines its board.
  await driver.dropFile("lights-out-2", await pageFile("firmware-rp2350.elf"));
  await driver.untilText("notice", "lights-out-2 is running on a Pico 2, which has its own memory.");
  assert.equal(await driver.text("board"), "Pico 2");
  // After a reload the page's own firmware runs on the chosen board, and the page offers the last firmware.
  await driver.until(async () => (await caches.match("last-firmware"))?.headers.get("X-Name") === "lights-out-2");
  await driver.reload();
  assert.equal(await driver.text("board"), "Pico");
  await driver.untilText("last-firmware", "Run lights-out-2 again");
  await driver.openPanel("workshop");
  await driver.click("#last-firmware");
  await driver.untilText("notice", "lights-out-2 is running");
  await driver.click("#own-firmware");
  await driver.untilText("running", "the page’s own");
  await driver.step(1500);
  await driver.expectText("status", "Level 1");
}));

test("memory and log are saved, and a memory is loaded", () => onPage(async (driver) => {
  const choose = async (chip, board) => {
    await driver.click(`#boards input[value=${chip}] + span`);
    await driver.untilText("notice", `This is the ${board} now, with its own memory.`);
    await driver.step(1500);
  };
  await driver.openPanel("workshop");
  await driver.tap(12);
  await driver.step(1000);
  await choose("rp2350", "Pico 2");
  assert.deepEqual([await driver.text("board"), await driver.text("chip")], ["Pico 2", "RP2350"]);
  await driver.expectText("status", "Level 1 · 0 moves");
  await driver.tap(7);
  await driver.tap(8);
  await driver.step(1000);
  await driver.expectText("status", "2 moves");
  await driver.click("#save-memory");
  const memoryPath = downloaded("lights-out-pico2.flash");
  const memory = await eventually(() => readFile(memoryPath), (bytes) => bytes.length > 0);
  await driver.click("#save-log");
  const logPath = downloaded("lights-out-pico2.log");
  await eventually(() => readFile(logPath, "utf8"), (text) => text.includes("\tinfo\tstatus scene="));
  // The choice and the game survive a reload, and the game of the other board is unchanged.
  await driver.reload();
  assert.equal(await driver.text("board"), "Pico 2");
  await driver.expectText("status", "2 moves");
  await driver.command("undo");
  await driver.step(1000);
  await choose("rp2040", "Pico");
  await driver.expectText("status", "Level 1 · 1 move");
  await driver.dropFile("mine.flash", memory);
  await driver.untilText("notice", "mine.flash is the memory of a Pico 2, so this is the Pico 2 now.");
  await driver.step(1500);
  await driver.expectText("status", "Level 1 · 2 moves");
  await driver.dropFile("mine.flash", memory);
  await driver.untilText("notice", "The memory of mine.flash was loaded.");
  // Restore the state for the next test.
  await driver.resetHandheld();
  await choose("rp2040", "Pico");
}));
