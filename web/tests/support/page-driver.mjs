// Drives the page in a real browser: input, checks of the page, and a stopped clock that the test advances.
//
// Input events come from the browser, so they are like those of a user. The worker's clock is stopped: after `step`
// the page shows the result of everything before, however busy the computer is. For what the browser does in its own
// time, `until` waits; only a hang reaches its time limit.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";

const TIME_LIMIT = 120_000;
/** The time that a key is held down, in ms. */
const KEY_TIME = 40;

export const DESKTOP = { width: 1280, height: 960 };
export const PHONE = { width: 390, height: 844, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

const CHROMIUM = {
  browser: "chrome",
  // Without online services. Root cannot use the sandbox. The list below the address bar is a separate page in each
  // window, and takes 1.2 s of a page load of about 3.5 s.
  args: [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--mute-audio", "--window-size=1280,960",
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
  ],
};
const FIREFOX = {
  browser: "firefox",
  extraPrefsFirefox: {
    "extensions.webcompat.perform_injections": false,
    "nimbus.rollouts.enabled": false,
    // Do not start processes in advance.
    "dom.ipc.processPrelaunch.enabled": false,
    "browser.download.folderList": 2,
    "browser.download.always_ask_before_handling_new_types": false,
    // Scrollbars that need no space, as on a phone.
    "ui.useOverlayScrollbars": 1,
    "layout.css.prefers-color-scheme.content-override": 0,
    "media.volume_scale": "0.0",
    // Without graphics hardware, each frame takes 10 ms.
    "layout.frame_rate": 15,
  },
};

/** `LIGHTS_OUT_BROWSER` is the path of the browser, `LIGHTS_OUT_BROWSER_KIND` is chromium or firefox. */
export const isFirefox = process.env.LIGHTS_OUT_BROWSER_KIND === "firefox";

let browser = null;
let downloads;

async function launchBrowser() {
  if (browser) return browser;
  downloads = await mkdtemp(join(tmpdir(), "lights-out-downloads-"));
  const kind = isFirefox ? FIREFOX : CHROMIUM;
  if (isFirefox) kind.extraPrefsFirefox["browser.download.dir"] = downloads;
  browser = await puppeteer.launch({
    ...kind,
    executablePath: process.env.LIGHTS_OUT_BROWSER,
    protocolTimeout: TIME_LIMIT,
    timeout: TIME_LIMIT,
    defaultViewport: null,
  });
  return browser;
}

export async function closeBrowser() {
  await browser?.close();
  if (downloads) await rm(downloads, { recursive: true, force: true });
  [browser, downloads] = [null, undefined];
}

export const browserProcess = () => browser.process();

/** The path of a file that the page has saved. */
export const downloaded = (name) => join(downloads, name);

/** The page on each screen, shared between tests because loading takes longer than most tests. */
const shared = new Map();

/** Runs a test on a page with a new handheld, and checks that the page had no errors. */
export async function onPage(act, { screen = DESKTOP } = {}) {
  let driver = shared.get(screen);
  if (driver) await driver.reset();
  else {
    driver = await PageDriver.open(await newContext(), process.env.LIGHTS_OUT_ADDRESS, screen);
    await driver.go();
  }
  // If the test fails, this page is not used again.
  shared.delete(screen);
  await act(driver);
  await driver.expectNoErrors();
  shared.set(screen, driver);
}

/** Runs a test on a page in a new browser context, which has no stored data. */
export async function onNewPage(act, options = {}) {
  const { address = process.env.LIGHTS_OUT_ADDRESS, link = "", isClockStopped = true } = options;
  const context = await newContext();
  try {
    const driver = await PageDriver.open(context, address, DESKTOP);
    if (isClockStopped) await driver.go(link);
    else await driver.page.goto(address + link);
    await act(driver);
    await driver.expectNoErrors();
  } finally {
    await context.close();
  }
}

async function newContext() {
  const running = await launchBrowser();
  const downloadBehavior = { policy: "allow", downloadPath: downloads };
  return running.createBrowserContext(isFirefox ? {} : { downloadBehavior });
}

export class PageDriver {
  /** Uncaught errors, and errors and warnings on the console. */
  errors = [];
  requests = [];

  static async open(context, address, screen) {
    const driver = new PageDriver();
    driver.address = address;
    driver.context = context;
    driver.page = await context.newPage();
    driver.page.setDefaultTimeout(TIME_LIMIT);
    await driver.page.setViewport(screen);
    driver.page.on("pageerror", (error) => driver.errors.push(String(error)));
    driver.page.on("console", (message) => {
      if (["error", "warn", "warning"].includes(message.type())) driver.errors.push(message.text());
    });
    driver.page.on("request", (request) => driver.requests.push(request.url()));
    return driver;
  }

  /** Undoes the changes of earlier tests: panels, dialogs, time, firmware, and the memory of the handheld. */
  async reset() {
    [this.errors, this.requests] = [[], [this.address]];
    // Other tests may have opened other pages.
    await this.page.bringToFront();
    await this.until(() => !document.hidden);
    await this.page.mouse.move(0, 0);
    await this.evaluate(() => {
      document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());
      document.querySelectorAll("details").forEach((panel) => { panel.open = false; });
      for (const id of ["letter-keys", "pause"]) {
        const button = document.getElementById(id);
        if (button.getAttribute("aria-pressed") === "true") button.click();
      }
      document.querySelector('#speed input[value="1"]').click();
      document.activeElement.blur();
      scrollTo(0, 0);
    });
    await this.ask("loadOwn", "rp2040");
    await this.resetHandheld();
  }

  /** Loads the page with a link. */
  async go(link = "") {
    // A link to the current page would not load it again.
    if (this.page.url() !== "about:blank") await this.page.goto("about:blank");
    await this.page.goto(this.address + link);
    await this.begin();
  }

  async reload() {
    await this.page.reload();
    await this.begin();
  }

  /** Stops the clock of a page that was just loaded, and waits for the end of the greeting. */
  async begin() {
    await this.stopClock();
    await this.until(() => document.getElementById("loading").hidden);
    await this.step(1500);
  }

  async stopClock() {
    await this.until(() => globalThis.handheld);
    await this.ask("stopClock");
  }

  async expectNoErrors() {
    assert.deepEqual(this.errors, []);
    const allowed = [this.address, "blob:", "data:", "about:"];
    const foreign = this.requests.filter((url) => !allowed.some((start) => url.startsWith(start)));
    assert.deepEqual(foreign, [], "the page loads its own files only");
    assert.ok(this.requests.length > 0);
  }

  // --- Time and state -----------------------------------------------------------------------------------------------

  evaluate(look, ...details) {
    return this.page.evaluate(look, ...details);
  }

  ask(action, ...details) {
    return this.evaluate((name, values) => handheld.ask(name, ...values), action, details);
  }

  /** Advances the clock. Then the page shows the result. */
  step(milliseconds) {
    return this.ask("stepClock", milliseconds);
  }

  /** Waits until a condition is true on the page. */
  async until(look, ...details) {
    try {
      await this.page.waitForFunction(look, { polling: 50, timeout: TIME_LIMIT }, ...details);
    } catch (error) {
      const texts = await this.evaluate(() =>
        ["status", "notice"].map((id) => document.getElementById(id)?.textContent).join(" | "));
      const message = `${look} did not become true for ${JSON.stringify(details)}; texts of the page: ${texts}`;
      throw new Error(message, { cause: error });
    }
  }

  untilText(id, part) {
    return this.until((name, text) => document.getElementById(name).textContent.includes(text), id, part);
  }

  text(id) {
    return this.evaluate((name) => document.getElementById(name).textContent, id);
  }

  async expectText(id, part) {
    const text = await this.text(id);
    assert.ok(text.includes(part), `"${part}" is not in "${text}"`);
  }

  /** The lights that the page shows as on; bit n is cell n. */
  lit() {
    return this.evaluate(() => [...document.querySelectorAll(".light")]
      .reduce((mask, light, cell) => mask | (light.style.opacity > 0) << cell, 0));
  }

  async expectLit(lights) {
    const asText = (mask) => mask.toString(2).padStart(25, "0");
    assert.equal(asText(await this.lit()), asText(lights));
  }

  /** Erases the memory and waits for the end of the greeting. */
  async resetHandheld() {
    await this.ask("erase");
    await this.step(1500);
  }

  /** Starts a random puzzle. Returns its lights. */
  async startRandom() {
    await this.ask("startMode", "random");
    await this.step(100);
    return this.lit();
  }

  /** The code of the current or last puzzle, from the log. */
  code() {
    return this.evaluate(() => document.getElementById("log").textContent.match(/.*puzzle=(\w+)/s)[1]);
  }

  // --- Input --------------------------------------------------------------------------------------------------------

  /** Scrolls to an element. Returns its centre. */
  middle(selector) {
    return this.evaluate((name) => {
      const element = document.querySelector(name);
      element.scrollIntoView({ block: "nearest" });
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    }, selector);
  }

  key(cell) {
    return this.middle(`.key:nth-child(${cell + 1})`);
  }

  async mouseDown(selector) {
    await this.page.mouse.move(...await this.middle(selector));
    await this.page.mouse.down();
  }

  async click(selector) {
    await this.mouseDown(selector);
    await this.page.mouse.up();
  }

  command(name) {
    return this.click(`[data-command=${name}]`);
  }

  /** Taps a key of the handheld with the mouse. */
  async tap(cell) {
    await this.mouseDown(`.key:nth-child(${cell + 1})`);
    await this.step(KEY_TIME);
    await this.page.mouse.up();
    await this.step(2 * KEY_TIME);
  }

  /** Touches several keys at the same time. */
  async touch(cells, milliseconds) {
    const fingers = [];
    for (const cell of cells) fingers.push(await this.page.touchscreen.touchStart(...await this.key(cell)));
    await this.step(milliseconds);
    for (const finger of fingers) await finger.end();
    await this.step(2 * KEY_TIME);
  }

  /** Types a key of the computer's keyboard while others are held. */
  async type(key, ...held) {
    for (const other of held) await this.page.keyboard.down(other);
    await this.page.keyboard.down(key);
    await this.step(KEY_TIME);
    await this.page.keyboard.up(key);
    for (const other of held) await this.page.keyboard.up(other);
    await this.step(2 * KEY_TIME);
  }

  openPanel(id) {
    return this.evaluate((panel) => { document.getElementById(panel).open = true; }, id);
  }

  /** Makes a choice by its row and column in the menu, from 0. */
  async choose(row, column) {
    await this.openPanel("choices");
    const button = `button:nth-of-type(${column + 1})`;
    await this.click(`#choice-rows fieldset:nth-child(${row + 1}) ${button}`);
    await this.step(2 * KEY_TIME);
  }

  /** Opens a file as the file dialog does. */
  async openFile(path) {
    const input = await this.page.$("#file");
    await input.uploadFile(path);
  }

  /** Drops a file on the page. The event is made by a script, because puppeteer cannot drop files in both browsers. */
  dropFile(name, bytes) {
    return this.evaluate((file, base64) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], file));
      const options = { dataTransfer: data, bubbles: true, cancelable: true };
      for (const kind of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(kind, options));
    }, name, Buffer.from(bytes).toString("base64"));
  }
}
