// A visitor of the page in a real browser: hands, eyes, and a clock that stands still until the test lets time pass.
//
// Input events come from the browser itself, so the page cannot tell them from a visitor's. The worker's clock is held: after `step` the page
// shows what came of all that was done before, whatever else the computer does meanwhile. What the browser does in its own time is waited for
// with `until`, whose limit only a hang reaches.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";

const HANG = 120_000;
const KEY = 40;

export const DESKTOP = { width: 1280, height: 960 };
export const PHONE = { width: 390, height: 844, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

const CHROMIUM = {
  browser: "chrome",
  // No services of its maker's. The sandbox cannot be had by root. The list below the address bar, which nobody opens here, is a page of its own
  // in each window, and costs 1.2 s of a page load of about 3.5 s.
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup", "--mute-audio",
    "--window-size=1280,960"],
};
const FIREFOX = {
  browser: "firefox",
  extraPrefsFirefox: {
    "extensions.webcompat.perform_injections": false,
    "nimbus.rollouts.enabled": false,
    // No process is started in advance.
    "dom.ipc.processPrelaunch.enabled": false,
    "browser.download.folderList": 2,
    "browser.download.always_ask_before_handling_new_types": false,
    // Scrollbars that take no room, as on a phone.
    "ui.useOverlayScrollbars": 1,
    "layout.css.prefers-color-scheme.content-override": 0,
    "media.volume_scale": "0.0",
    // Drawn by software, each picture costs 10 ms.
    "layout.frame_rate": 15,
  },
};

/** The browser of `LIGHTS_OUT_BROWSER`, a program's path; `LIGHTS_OUT_BROWSER_KIND` is chromium or firefox. */
export const isFirefox = process.env.LIGHTS_OUT_BROWSER_KIND === "firefox";

let browser = null;
let downloads;

async function launched() {
  if (browser) return browser;
  downloads = await mkdtemp(join(tmpdir(), "lights-out-downloads-"));
  const kind = isFirefox ? FIREFOX : CHROMIUM;
  if (isFirefox) kind.extraPrefsFirefox["browser.download.dir"] = downloads;
  browser = await puppeteer.launch({ ...kind, executablePath: process.env.LIGHTS_OUT_BROWSER, protocolTimeout: HANG, timeout: HANG, defaultViewport: null });
  return browser;
}

export async function closeBrowser() {
  await browser?.close();
  if (downloads) await rm(downloads, { recursive: true, force: true });
  [browser, downloads] = [null, undefined];
}

export const browserProcess = () => browser.process();

/** The path of a file that the page saves. */
export const downloaded = (name) => join(downloads, name);

/** The page on each screen that tests share: to load it costs more than most of what is then done on it. */
const shared = new Map();

/** Lets `play` happen on a page with a fresh handheld, and sees that nothing went wrong on the way. */
export async function visit(play, { screen = DESKTOP } = {}) {
  let visitor = shared.get(screen);
  if (visitor) await visitor.reset();
  else {
    visitor = await Visitor.open(await newContext(), process.env.LIGHTS_OUT_ADDRESS, screen);
    await visitor.go();
  }
  // A page on which a test has failed is not used again.
  shared.delete(screen);
  await play(visitor);
  await visitor.expectNoTrouble();
  shared.set(screen, visitor);
}

/** The same on a page that was never visited before, in a browser that remembers nothing. */
export async function visitAnew(play, { address = process.env.LIGHTS_OUT_ADDRESS, link = "", isHeld = true } = {}) {
  const context = await newContext();
  try {
    const visitor = await Visitor.open(context, address, DESKTOP);
    if (isHeld) await visitor.go(link);
    else await visitor.page.goto(address + link);
    await play(visitor);
    await visitor.expectNoTrouble();
  } finally {
    await context.close();
  }
}

async function newContext() {
  const running = await launched();
  return running.createBrowserContext(isFirefox ? {} : { downloadBehavior: { policy: "allow", downloadPath: downloads } });
}

export class Visitor {
  /** What went wrong: errors that nobody caught, and errors and warnings on the console. */
  troubles = [];
  requests = [];

  static async open(context, address, screen) {
    const visitor = new Visitor();
    visitor.address = address;
    visitor.context = context;
    visitor.page = await context.newPage();
    visitor.page.setDefaultTimeout(HANG);
    await visitor.page.setViewport(screen);
    visitor.page.on("pageerror", (error) => visitor.troubles.push(String(error)));
    visitor.page.on("console", (message) => {
      if (["error", "warn", "warning"].includes(message.type())) visitor.troubles.push(message.text());
    });
    visitor.page.on("request", (request) => visitor.requests.push(request.url()));
    return visitor;
  }

  /** The page as it was at first, as far as a test may have changed it: panels, dialogues, time, firmware, and the handheld's memory. */
  async reset() {
    [this.troubles, this.requests] = [[], [this.address]];
    // Other tests may have opened pages in front of it.
    await this.page.bringToFront();
    await this.until(() => !document.hidden);
    await this.page.mouse.move(0, 0);
    await this.evaluate(() => {
      document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());
      document.querySelectorAll("details").forEach((panel) => { panel.open = false; });
      for (const id of ["show-keys", "pause"]) {
        const button = document.getElementById(id);
        if (button.getAttribute("aria-pressed") === "true") button.click();
      }
      document.querySelector('#speed input[value="1"]').click();
      document.activeElement.blur();
      scrollTo(0, 0);
    });
    await this.ask("loadOwn", "rp2040");
    await this.fresh();
  }

  /** Loads the page, or a link of it. */
  async go(link = "") {
    // A link of the page that is open already would not load it anew.
    if (this.page.url() !== "about:blank") await this.page.goto("about:blank");
    await this.page.goto(this.address + link);
    await this.begin();
  }

  async reload() {
    await this.page.reload();
    await this.begin();
  }

  /** Holds the clock of the page that was just loaded, and lets the greeting pass. */
  async begin() {
    await this.hold();
    await this.until(() => document.getElementById("loading").hidden);
    await this.step(1500);
  }

  async hold() {
    await this.until(() => globalThis.handheld);
    await this.ask("holdClock");
  }

  async expectNoTrouble() {
    assert.deepEqual(this.troubles, []);
    const isOwn = (url) => url.startsWith(this.address) || ["blob:", "data:", "about:"].some((scheme) => url.startsWith(scheme));
    const strange = this.requests.filter((url) => !isOwn(url));
    assert.deepEqual(strange, [], "the page asks for nothing but its own files");
    assert.ok(this.requests.length > 0);
  }

  // --- Time and state --------------------------------------------------------------------------------------------------

  evaluate(look, ...details) {
    return this.page.evaluate(look, ...details);
  }

  ask(action, ...details) {
    return this.evaluate((name, words) => handheld.ask(name, ...words), action, details);
  }

  /** Lets time pass for the handheld. The page shows everything that came of it. */
  step(milliseconds) {
    return this.ask("stepClock", milliseconds);
  }

  /** Waits until the page is so. */
  async until(look, ...details) {
    try {
      await this.page.waitForFunction(look, { polling: 50, timeout: HANG }, ...details);
    } catch (error) {
      const words = await this.evaluate(() => ["status", "notice"].map((id) => document.getElementById(id)?.textContent).join(" | "));
      throw new Error(`${look} did not come true for ${JSON.stringify(details)}; the page says: ${words}`, { cause: error });
    }
  }

  untilText(id, part) {
    return this.until((place, words) => document.getElementById(place).textContent.includes(words), id, part);
  }

  text(id) {
    return this.evaluate((place) => document.getElementById(place).textContent, id);
  }

  async expectText(id, part) {
    const text = await this.text(id);
    assert.ok(text.includes(part), `"${part}" is not in "${text}"`);
  }

  /** The lights that are on, bit = cell, as they are painted. */
  lit() {
    return this.evaluate(() => [...document.querySelectorAll(".light")].reduce((mask, light, cell) => mask | (light.style.opacity > 0) << cell, 0));
  }

  async expectLit(lights) {
    assert.equal((await this.lit()).toString(2).padStart(25, "0"), lights.toString(2).padStart(25, "0"));
  }

  /** A handheld that was never used, on the page that is open. */
  async fresh() {
    await this.ask("erase");
    await this.step(1500);
  }

  /** Starts a random puzzle; gives its lights. */
  async random() {
    await this.ask("startMode", "random");
    await this.step(100);
    return this.lit();
  }

  /** The code of the puzzle that is in play or was last, as the log told it. */
  code() {
    return this.evaluate(() => document.getElementById("log").textContent.match(/.*puzzle=(\w+)/s)[1]);
  }

  // --- Hands -----------------------------------------------------------------------------------------------------------

  /** The middle of an element, which is brought into sight. */
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

  /** A key of the handheld, by the mouse. */
  async tap(cell) {
    await this.mouseDown(`.key:nth-child(${cell + 1})`);
    await this.step(KEY);
    await this.page.mouse.up();
    await this.step(2 * KEY);
  }

  /** Fingers on several keys at once. */
  async touch(cells, milliseconds) {
    const fingers = [];
    for (const cell of cells) fingers.push(await this.page.touchscreen.touchStart(...await this.key(cell)));
    await this.step(milliseconds);
    for (const finger of fingers) await finger.end();
    await this.step(2 * KEY);
  }

  /** A key of the computer's keyboard; with others that are held meanwhile. */
  async type(key, ...held) {
    for (const other of held) await this.page.keyboard.down(other);
    await this.page.keyboard.down(key);
    await this.step(KEY);
    await this.page.keyboard.up(key);
    for (const other of held) await this.page.keyboard.up(other);
    await this.step(2 * KEY);
  }

  unfold(id) {
    return this.evaluate((panel) => { document.getElementById(panel).open = true; }, id);
  }

  /** A choice, by its row and column in the menu, from 0. */
  async choose(row, column) {
    await this.unfold("choices");
    await this.click(`#choice-rows fieldset:nth-child(${row + 1}) button:nth-of-type(${column + 1})`);
    await this.step(2 * KEY);
  }

  /** Gives the page a file, as its file dialogue would. */
  async openFile(path) {
    const input = await this.page.$("#file");
    await input.uploadFile(path);
  }

  /** Drops a file on the page. The event is a script's: no driver drops files in both browsers. */
  dropFile(name, bytes) {
    return this.evaluate((file, base64) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], file));
      for (const kind of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
    }, name, Buffer.from(bytes).toString("base64"));
  }
}
