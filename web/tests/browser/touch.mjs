// Touch on a phone: several fingers, scrolling, and a touch that the system cancels.

import assert from "node:assert/strict";
import { test } from "../support/test.mjs";
import { pressed } from "../support/boards.mjs";
import { PHONE, isFirefox, onPage } from "../support/page-driver.mjs";

test("several keys can be touched, and corners be held", () => onPage(async (driver) => {
  const board = await driver.startRandom();
  await driver.touch([12], 60);
  await driver.expectLit(pressed(board, [12]));
  await driver.touch([1, 8, 22], 100);
  await driver.expectLit(pressed(board, [12, 1, 8, 22]));
  await driver.touch([4, 24], 600);
  await driver.expectLit(pressed(board, [12, 1, 8, 22, 4, 24]));
  await driver.touch([4, 24], 720);
  await driver.expectLit(board);
  await driver.touch([0, 4], 720);
  await driver.expectText("status", "hint: row ");
}, { screen: PHONE }));

test("scrolling that starts on a command is not a command", () => onPage(async (driver) => {
  const board = await driver.startRandom();
  const { touchscreen } = driver.page;
  // A cancelled touch releases its key. Puppeteer cannot cancel a touch in both browsers, so a script does.
  await driver.evaluate(() => {
    const keepId = ({ pointerId }) => { window.finger = pointerId; };
    addEventListener("pointerdown", keepId, { capture: true, once: true });
  });
  const finger = await touchscreen.touchStart(...await driver.key(7));
  await driver.step(60);
  await driver.expectLit(pressed(board, [7]));
  await driver.evaluate(() => {
    const cancel = new PointerEvent("pointercancel", { pointerId: window.finger, bubbles: true });
    document.querySelector(".key.down").dispatchEvent(cancel);
  });
  await driver.step(100);
  assert.equal(await driver.evaluate(() => document.querySelectorAll(".key.down").length), 0);
  await finger.end();
  await driver.step(100);
  await driver.expectText("status", "1 move");
  // In Firefox, a touch of puppeteer does not scroll.
  if (isFirefox) return;
  const [x, y] = await driver.middle("[data-command=restart]");
  const scroll = await touchscreen.touchStart(x, y);
  for (let way = 20; way <= 200; way += 20) await scroll.move(x, y - way);
  await scroll.end();
  await driver.until(() => scrollY > 50);
  await driver.step(1000);
  await driver.expectText("status", "1 move");
}, { screen: PHONE }));
