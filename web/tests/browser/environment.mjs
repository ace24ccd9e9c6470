// The environment of the page: screen sizes, other tabs, no network, new versions, a hidden page, a hanging emulator.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { test } from "../support/test.mjs";
import { Host } from "../support/host.mjs";
import { DESKTOP, PHONE, PageDriver, isFirefox, onPage, onNewPage } from "../support/page-driver.mjs";

/** The folder for new pictures of the documentation, if they are asked for. */
const pictures = process.env.LIGHTS_OUT_PICTURES;
const setTheme = (driver, value) => driver.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);

/** Checks the layout of the page on this kind of screen, at each of these sizes. */
const expectFit = (screen, sizes) => onPage(async (driver) => {
  const { page } = driver;
  await driver.evaluate(() => { location.hash = "#play=1Y8Z00T"; });
  await driver.untilText("status", "Custom board");
  await driver.step(100);
  for (const { width, height, dark, name } of sizes) {
    await page.setViewport({ ...screen, width, height });
    if (!isFirefox) await setTheme(driver, dark ? "dark" : "light");
    await driver.until((size) => innerWidth === size, width);
    const { scroll, key, bottom, share } = await driver.evaluate(() => {
      const box = (selector) => document.querySelector(selector).getBoundingClientRect();
      return {
        scroll: document.documentElement.scrollWidth,
        key: box(".key").width,
        bottom: Math.max(box("#keys").bottom, box("#commands").bottom),
        share: box("#case").height / innerHeight,
      };
    });
    assert.equal(scroll, width, `no horizontal scrolling at ${width} pixels`);
    assert.ok(key >= 40, `a key has at least 40 pixels at ${width} x ${height}: ${key}`);
    assert.ok(bottom <= height, `keys and commands are visible at ${width} x ${height}: ${bottom}`);
    if (width === 1920) assert.ok(share > 0.75, `the handheld grows with the screen: ${share}`);
    const picture = await page.screenshot();
    assert.ok(picture.length > 20_000);
    if (pictures && name && !isFirefox) await writeFile(`${pictures}/${name}`, picture);
  }
  await page.setViewport(screen);
  await driver.until((size) => innerWidth === size, screen.width);
}, { screen });

test("page fits every screen", async () => {
  await expectFit(DESKTOP, [
    { ...DESKTOP, dark: true, name: "page-desktop.png" },
    { width: 1920, height: 1080, dark: true },
  ]);
  await expectFit(PHONE, [
    { ...PHONE, dark: false, name: "page-phone.png" },
    { width: 360, height: 640, dark: true },
    { width: 640, height: 360, dark: true },
    { width: 768, height: 1024, dark: false },
  ]);
});

test("second tab can take over the handheld", () => onNewPage(async (driver) => {
  await driver.tap(7);
  await driver.step(1000);
  const second = await PageDriver.open(driver.context, driver.address, DESKTOP);
  await second.page.goto(second.address);
  await second.untilText("status", "open in another tab");
  await second.expectLit(0);
  await second.click("#offer-yes");
  await second.until(() => globalThis.handheld && document.getElementById("loading").hidden);
  await second.begin();
  await second.expectText("status", "Level 1 · 1 move");
  await second.tap(12);
  await second.expectText("status", "2 moves");
  await driver.untilText("status", "open in another tab");
  await second.expectNoErrors();
}));

test("newer page is offered, and the page works offline", async () => {
  const host = await Host.start();
  await onNewPage(async (driver) => {
    const isComplete = async (part) => {
      for (const name of await caches.keys()) {
        const isVersion = name.startsWith("lights-out-page") && name.includes(part);
        if (isVersion && await (await caches.open(name)).match("files.json")) return true;
      }
      return false;
    };
    const manifest = await driver.evaluate(async () =>
      (await fetch(document.querySelector("link[rel=manifest]").href)).json());
    assert.equal(manifest.display, "standalone");
    await driver.until(isComplete, "");
    await driver.tap(7);
    await driver.step(1000);
    host.changes["files.json"] = (text) => text.replace('"version":"', '"version":"newer ');
    await driver.reload();
    await driver.untilText("offer-text", "newer version");
    await driver.click("#offer-yes");
    await driver.until(() => document.getElementById("offer-text")?.textContent === "" && globalThis.handheld);
    await driver.begin();
    await driver.expectText("status", "Level 1 · 1 move");
    await driver.until(isComplete, "newer");
    await host.end();
    await driver.reload();
    await driver.tap(12);
    await driver.expectText("status", "2 moves");
    await driver.click("#manual");
    await driver.until(() => document.querySelectorAll("#manual-text h2, #manual-text h3").length > 3);
    // The browser reports the missing host by itself.
    const isNetworkError = (text) => /ERR_CONNECTION_REFUSED|NetworkError|Failed to fetch/.test(text);
    driver.errors = driver.errors.filter((text) => !isNetworkError(text));
  }, { address: host.address });
});

test("hidden page stops the clock", () => onPage(async (driver) => {
  const uptime = async () => parseFloat(await driver.text("uptime"));
  await driver.evaluate(() => document.querySelectorAll(".key")[12].focus());
  await driver.page.keyboard.down(" ");
  await driver.step(20);
  assert.equal(await driver.evaluate(() => document.querySelectorAll(".key.down").length), 1);
  const other = await driver.context.newPage();
  await other.bringToFront();
  await driver.until(() => document.hidden);
  await driver.step(0);
  const before = await uptime();
  await driver.step(5000);
  assert.equal(await uptime(), before);
  await other.close();
  await driver.page.bringToFront();
  await driver.until(() => !document.hidden);
  await driver.step(1000);
  assert.ok(await uptime() >= before + 1);
  // The hidden page would not get the release of the key, so all keys were released.
  assert.equal(await driver.evaluate(() => document.querySelectorAll(".key.down").length), 0);
  // For the next test on this page: puppeteer would send a repeated key.
  await driver.page.keyboard.up(" ");
}));

/** A worker with an action that hangs: it waits synchronously for a file that is never sent. */
const HANGING = `addEventListener("message", ({ data }) => {
  if (data.action !== "hang") return;
  const request = new XMLHttpRequest();
  request.open("GET", "never", false);
  request.send();
});`;

test("hanging emulator is replaced and the game continues", async () => {
  const host = await Host.start();
  host.changes["worker.js"] = (text) => HANGING + text;
  await onNewPage(async (driver) => {
    await driver.tap(7);
    await driver.step(1000);
    await driver.evaluate(() => { handheld.ask("hang").catch(() => {}); });
    await driver.untilText("notice", "The emulator did not answer for 10 seconds, so it was stopped. ");
    await driver.expectText("notice", "It was started again from the last save.");
    await driver.stopClock();
    await driver.step(1500);
    await driver.expectText("status", "Level 1 · 1 move");
    await driver.tap(12);
    await driver.expectText("status", "2 moves");
  }, { address: host.address });
  await host.end();
});
