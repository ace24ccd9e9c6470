// Fingers on a phone: several at once, one that scrolls, one that the system takes away.

import assert from "node:assert/strict";
import { test } from "../support/test.mjs";
import { pressed } from "../support/boards.mjs";
import { PHONE, isFirefox, visit } from "../support/visitor.mjs";

test("fingers press several keys at once and hold two corners", () => visit(async (visitor) => {
  const board = await visitor.random();
  await visitor.touch([12], 60);
  await visitor.expectLit(pressed(board, [12]));
  await visitor.touch([1, 8, 22], 100);
  await visitor.expectLit(pressed(board, [12, 1, 8, 22]));
  await visitor.touch([4, 24], 600);
  await visitor.expectLit(pressed(board, [12, 1, 8, 22, 4, 24]));
  await visitor.touch([4, 24], 720);
  await visitor.expectLit(board);
  await visitor.touch([0, 4], 720);
  await visitor.expectText("status", "hint: row ");
}, { screen: PHONE }));

test("a scroll that begins on a command is no command", () => visit(async (visitor) => {
  const board = await visitor.random();
  const { touchscreen } = visitor.page;
  // A finger that the system takes away lets its key go, and that is all. No driver has such a finger in both browsers.
  await visitor.evaluate(() => addEventListener("pointerdown", ({ pointerId }) => { window.finger = pointerId; }, { capture: true, once: true }));
  const finger = await touchscreen.touchStart(...await visitor.key(7));
  await visitor.step(60);
  await visitor.expectLit(pressed(board, [7]));
  await visitor.evaluate(() => {
    document.querySelector(".key.down").dispatchEvent(new PointerEvent("pointercancel", { pointerId: window.finger, bubbles: true }));
  });
  await visitor.step(100);
  assert.equal(await visitor.evaluate(() => document.querySelectorAll(".key.down").length), 0);
  await finger.end();
  await visitor.step(100);
  await visitor.expectText("status", "1 move");
  // Firefox's driver makes no scrolling of a finger's way.
  if (isFirefox) return;
  const [x, y] = await visitor.middle("[data-command=restart]");
  const scroll = await touchscreen.touchStart(x, y);
  for (let way = 20; way <= 200; way += 20) await scroll.move(x, y - way);
  await scroll.end();
  await visitor.until(() => scrollY > 50);
  await visitor.step(1000);
  await visitor.expectText("status", "1 move");
}, { screen: PHONE }));
