// What the browser keeps for the page: the flash of each handheld, a few choices of the page's own, the last firmware that was opened.
// And the one lock that says which of several tabs the handheld is in: two would overwrite each other's saves.

// One for each place that the page is served from: a host may hold several.
const HERE = new URL(".", location.href).pathname;
/** By the kind of the chip. */
const FLASH = { rp2040: `lights-out-flash ${HERE}`, rp2350: `lights-out-flash-rp2350 ${HERE}` };
const LOCK = FLASH.rp2040;
const CHOICES = `lights-out-page ${HERE}`;
const FIRMWARE = `lights-out-firmware ${HERE}`;

// --- The flash ---------------------------------------------------------------------------------------------------------

/** False if this browser keeps nothing. */
export function keepFlash(kind, bytes) {
  let letters = "";
  for (let at = 0; at < bytes.length; at += 4096) letters += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return keep(FLASH[kind], btoa(letters));
}

export function recallFlash(kind) {
  try {
    const letters = localStorage.getItem(FLASH[kind]);
    return letters === null ? null : Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  } catch {
    // Not kept, or not in letters: a fresh handheld.
    return null;
  }
}

function keep(name, text) {
  try {
    localStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

// --- The page's own choices --------------------------------------------------------------------------------------------

export function recall(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(CHOICES) ?? "{}")[name] ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(name, value) {
  let all = {};
  try {
    all = JSON.parse(localStorage.getItem(CHOICES) ?? "{}");
  } catch {
    // What cannot be read is begun anew.
  }
  keep(CHOICES, JSON.stringify({ ...all, [name]: value }));
}

// --- The last firmware -------------------------------------------------------------------------------------------------

/** Megabytes, so not among the small things; where there is no such store, it is forgotten. */
export async function keepFirmware(name, bytes) {
  try {
    const store = await caches.open(FIRMWARE);
    await store.put("last-firmware", new Response(bytes, { headers: { "X-Name": encodeURIComponent(name) } }));
  } catch {
    // Nothing is lost but a convenience.
  }
}

export async function recallFirmware() {
  try {
    const answer = await (await caches.open(FIRMWARE)).match("last-firmware");
    if (!answer) return null;
    return { name: decodeURIComponent(answer.headers.get("X-Name")), bytes: new Uint8Array(await answer.arrayBuffer()) };
  } catch {
    return null;
  }
}

// --- One tab at a time -------------------------------------------------------------------------------------------------

/** A page that was left or reloaded may hold the lock for so long after the next one has begun. */
const LETTING_GO = 10_000;

/**
 * Resolves with true once the handheld is this tab's, or with false if another keeps it. `onHeld`: another has it, perhaps not for long.
 * `onLost`: another has taken it over.
 */
export async function claim(takeOver, onHeld, onLost) {
  // Only pages from a safe address have locks. Where there are none, nobody can tell.
  if (!navigator.locks) return true;
  const ask = (how) => new Promise((done) => {
    let isOurs = false;
    const forGood = (lock) => {
      isOurs = lock !== null;
      done(isOurs);
      return isOurs ? new Promise(() => {}) : undefined;
    };
    navigator.locks.request(LOCK, how, forGood).catch(() => { if (isOurs) onLost(); else done(false); });
  });
  if (takeOver) return ask({ steal: true });
  if (await ask({ ifAvailable: true })) return true;
  onHeld();
  return ask({ signal: AbortSignal.timeout(LETTING_GO) });
}
