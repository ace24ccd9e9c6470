// What is around the page: screens, other tabs, no network, new versions, a page out of sight, an emulator that hangs.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { test } from "../support/test.mjs";
import { Host } from "../support/host.mjs";
import { DESKTOP, PHONE, Visitor, isFirefox, visit, visitAnew } from "../support/visitor.mjs";

/** The folder that the pictures of the manual are taken anew for, if they are. */
const pictures = process.env.LIGHTS_OUT_PICTURES;
const setDark = (visitor, dark) => visitor.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);

/** The page on a screen of this kind, at each of these sizes. */
const fits = (screen, sizes) => visit(async (visitor) => {
  const { page } = visitor;
  await visitor.evaluate(() => { location.hash = "#play=1Y8Z00T"; });
  await visitor.untilText("status", "A drawn board");
  await visitor.step(100);
  for (const { width, height, dark, name } of sizes) {
    await page.setViewport({ ...screen, width, height });
    if (!isFirefox) await setDark(visitor, dark);
    await visitor.until((size) => innerWidth === size, width);
    const { scroll, key, bottom, share } = await visitor.evaluate(() => {
      const box = (selector) => document.querySelector(selector).getBoundingClientRect();
      return {
        scroll: document.documentElement.scrollWidth,
        key: box(".key").width,
        bottom: Math.max(box("#keys").bottom, box("#commands").bottom),
        share: box("#case").height / innerHeight,
      };
    });
    assert.equal(scroll, width, `nothing sticks out at ${width} points`);
    assert.ok(key >= 40, `a finger wants 40 points at ${width} x ${height}: ${key}`);
    assert.ok(bottom <= height, `keys and commands are in sight at ${width} x ${height}: ${bottom}`);
    if (width === 1920) assert.ok(share > 0.75, `the handheld grows with the screen: ${share}`);
    const picture = await page.screenshot();
    assert.ok(picture.length > 20_000);
    if (pictures && name && !isFirefox) await writeFile(`${pictures}/${name}`, picture);
  }
  await page.setViewport(screen);
  await visitor.until((size) => innerWidth === size, screen.width);
}, { screen });

test("the page fits every screen", async () => {
  await fits(DESKTOP, [{ ...DESKTOP, dark: true, name: "page-desktop.png" }, { width: 1920, height: 1080, dark: true }]);
  await fits(PHONE, [
    { ...PHONE, dark: false, name: "page-phone.png" },
    { width: 360, height: 640, dark: true },
    { width: 640, height: 360, dark: true },
    { width: 768, height: 1024, dark: false },
  ]);
});

test("a second tab says so and takes over", () => visitAnew(async (visitor) => {
  await visitor.tap(7);
  await visitor.step(1000);
  const second = await Visitor.open(visitor.context, visitor.address, DESKTOP);
  await second.page.goto(second.address);
  await second.untilText("status", "open in another tab");
  await second.expectLit(0);
  await second.click("#offer-yes");
  await second.until(() => globalThis.handheld && document.getElementById("loading").hidden);
  await second.begin();
  await second.expectText("status", "Level 1 · 1 move");
  await second.tap(12);
  await second.expectText("status", "2 moves");
  await visitor.untilText("status", "open in another tab");
  await second.expectNoTrouble();
}));

test("a newer page is offered, and without a network the page is as it was", async () => {
  const host = await Host.start();
  await visitAnew(async (visitor) => {
    const isComplete = async (part) => {
      for (const name of await caches.keys()) {
        if (name.startsWith("lights-out-page") && name.includes(part) && await (await caches.open(name)).match("files.json")) return true;
      }
      return false;
    };
    const manifest = await visitor.evaluate(async () => (await fetch(document.querySelector("link[rel=manifest]").href)).json());
    assert.equal(manifest.display, "standalone");
    await visitor.until(isComplete, "");
    await visitor.tap(7);
    await visitor.step(1000);
    host.changes["files.json"] = (text) => text.replace('"version":"', '"version":"newer ');
    await visitor.reload();
    await visitor.untilText("offer-text", "newer version");
    await visitor.click("#offer-yes");
    await visitor.until(() => document.getElementById("offer-text")?.textContent === "" && globalThis.handheld);
    await visitor.begin();
    await visitor.expectText("status", "Level 1 · 1 move");
    await visitor.until(isComplete, "newer");
    await host.end();
    await visitor.reload();
    await visitor.tap(12);
    await visitor.expectText("status", "2 moves");
    await visitor.click("#guide");
    await visitor.untilText("guide-text", "Put all the lights out.");
    // The browser itself says that there is no host, which is no fault of the page.
    visitor.troubles = visitor.troubles.filter((words) => !/ERR_CONNECTION_REFUSED|NetworkError|Failed to fetch/.test(words));
  }, { address: host.address });
});

test("a hidden page stops the clock", () => visit(async (visitor) => {
  const moment = async () => parseFloat(await visitor.text("moment"));
  await visitor.evaluate(() => document.querySelectorAll(".key")[12].focus());
  await visitor.page.keyboard.down(" ");
  await visitor.step(20);
  assert.equal(await visitor.evaluate(() => document.querySelectorAll(".key.down").length), 1);
  const other = await visitor.context.newPage();
  await other.bringToFront();
  await visitor.until(() => document.hidden);
  await visitor.step(0);
  const before = await moment();
  await visitor.step(5000);
  assert.equal(await moment(), before);
  await other.close();
  await visitor.page.bringToFront();
  await visitor.until(() => !document.hidden);
  await visitor.step(1000);
  assert.ok(await moment() >= before + 1);
  // Nobody would have heard of the key's release.
  assert.equal(await visitor.evaluate(() => document.querySelectorAll(".key.down").length), 0);
}));

/** Once it is asked to hang, the worker waits for a file that never comes, and hears nothing meanwhile. */
const HANGING = `addEventListener("message", ({ data }) => {
  if (data.action !== "hang") return;
  const request = new XMLHttpRequest();
  request.open("GET", "never", false);
  request.send();
});`;

test("an emulator that hangs is stopped, and the game goes on", async () => {
  const host = await Host.start();
  host.changes["worker.js"] = (text) => HANGING + text;
  await visitAnew(async (visitor) => {
    await visitor.tap(7);
    await visitor.step(1000);
    await visitor.evaluate(() => { handheld.ask("hang").catch(() => {}); });
    await visitor.untilText("notice", "The emulator did not answer for 10 seconds, so it was stopped. It was started again from the last save.");
    await visitor.hold();
    await visitor.step(1500);
    await visitor.expectText("status", "Level 1 · 1 move");
    await visitor.tap(12);
    await visitor.expectText("status", "2 moves");
  }, { address: host.address });
  await host.end();
});
