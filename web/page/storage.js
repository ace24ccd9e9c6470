// The data that the browser stores for the page: the memory of each handheld, a few settings of the page, and the last
// firmware file. Also the lock that lets one tab at a time use the handheld, because two tabs would overwrite each
// other's saves.

// One set of names for each address of the page: a host may serve several pages.
const ADDRESS = new URL(".", location.href).pathname;
/** The names of the memories, by the kind of chip. */
const MEMORY_NAMES = {
  rp2040: `lights-out-flash ${ADDRESS}`,
  rp2350: `lights-out-flash-rp2350 ${ADDRESS}`,
};
const LOCK = MEMORY_NAMES.rp2040;
const SETTINGS = `lights-out-page ${ADDRESS}`;
const FIRMWARE = `lights-out-firmware ${ADDRESS}`;

// --- Memories -------------------------------------------------------------------------------------------------------

/** Stores a memory file. Returns false if the browser stores nothing. */
export function storeMemory(kind, bytes) {
  let characters = "";
  for (let at = 0; at < bytes.length; at += 4096) characters += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return store(MEMORY_NAMES[kind], btoa(characters));
}

/** The stored memory file; null if there is none or it cannot be decoded. */
export function loadMemory(kind) {
  try {
    const text = localStorage.getItem(MEMORY_NAMES[kind]);
    return text === null ? null : Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function store(name, text) {
  try {
    localStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

// --- Settings of the page -------------------------------------------------------------------------------------------

/** A setting, or `otherwise` if it is not stored. */
export function loadSetting(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(SETTINGS) ?? "{}")[name] ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Stores a setting. Settings that cannot be read are replaced. */
export function storeSetting(name, value) {
  let all = {};
  try {
    all = JSON.parse(localStorage.getItem(SETTINGS) ?? "{}");
  } catch {
    // Start with no settings.
  }
  store(SETTINGS, JSON.stringify({ ...all, [name]: value }));
}

// --- The last firmware file -----------------------------------------------------------------------------------------

/** Stores a firmware file in a cache, because it is too large for the local storage. An error is ignored. */
export async function storeFirmware(name, bytes) {
  try {
    const cache = await caches.open(FIRMWARE);
    await cache.put("last-firmware", new Response(bytes, { headers: { "X-Name": encodeURIComponent(name) } }));
  } catch {
    // The user can open the file again.
  }
}

/** The name and the bytes of the last firmware file, or null. */
export async function loadFirmware() {
  try {
    const response = await (await caches.open(FIRMWARE)).match("last-firmware");
    if (!response) return null;
    const name = decodeURIComponent(response.headers.get("X-Name"));
    return { name, bytes: new Uint8Array(await response.arrayBuffer()) };
  } catch {
    return null;
  }
}

// --- One tab at a time ----------------------------------------------------------------------------------------------

/** A page that was closed or reloaded may hold the lock for this time after the next page has started. */
const LOCK_TIMEOUT = 10_000;

/**
 * Acquires the lock. Resolves with true when this tab has it, with false if another tab keeps it. `onWait` is called
 * when another tab has the lock, perhaps only for a moment. `onLost` is called when another tab has taken it over.
 */
export async function acquireLock(takeOver, onWait, onLost) {
  // Browsers offer locks to secure addresses only. Without locks, other tabs cannot be detected.
  if (!navigator.locks) return true;
  const request = (options) => new Promise((resolve) => {
    let isAcquired = false;
    const keepForever = (lock) => {
      isAcquired = lock !== null;
      resolve(isAcquired);
      return isAcquired ? new Promise(() => {}) : undefined;
    };
    navigator.locks.request(LOCK, options, keepForever).catch(() => {
      if (isAcquired) onLost();
      else resolve(false);
    });
  });
  if (takeOver) return request({ steal: true });
  if (await request({ ifAvailable: true })) return true;
  onWait();
  return request({ signal: AbortSignal.timeout(LOCK_TIMEOUT) });
}
