// Serves the page from a cache, so that it works without a network and all files have the same version.
//
// There is one cache for each version. A new version is loaded completely into its own cache, and served from the next
// load of the page on. Addresses are relative to the folder of the page.
"use strict";

const CACHE_PREFIX = `lights-out-page ${new URL(".", location.href).pathname} `;
const LIST = "files.json";

/** The names of the complete caches: those with the list of files, which is stored last. */
async function completeCaches() {
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX));
  const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).match(LIST)));
  return names.filter((_, index) => lists[index]);
}

/** The version and the files of the host. The status is 202 while some files are still being built. */
async function fetchList() {
  const response = await fetch(LIST, { cache: "no-store" });
  if (response.status !== 200) throw new Error(`${LIST}: ${response.status}`);
  return response.json();
}

/** Loads the version of the host if it is new. Returns whether it was new. */
async function update() {
  const list = await fetchList();
  const { version, files } = list;
  const name = CACHE_PREFIX + version;
  if ((await completeCaches()).includes(name)) return false;
  const fetched = await Promise.all(files.map(async (file) => {
    const response = await fetch(file, { cache: "reload" });
    if (!response.ok) throw new Error(`${file}: ${response.status}`);
    return [file, response];
  }));
  const cache = await caches.open(name);
  await Promise.all(fetched.map(([file, response]) => cache.put(file, response)));
  await cache.put(LIST, new Response(JSON.stringify(list)));
  const outdated = (await caches.keys()).filter((other) => other.startsWith(CACHE_PREFIX) && other !== name);
  await Promise.all(outdated.map((other) => caches.delete(other)));
  return true;
}

addEventListener("install", (event) => {
  event.waitUntil(update().then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil(clients.claim());
});

addEventListener("message", (event) => {
  if (event.data !== "look for an update") return;
  const notify = (isNew) => { if (isNew) event.source.postMessage("updated"); };
  // Without a network there is no update.
  event.waitUntil(update().then(notify).catch(() => {}));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  const folder = new URL(".", location.href);
  if (request.method !== "GET" || address.origin !== folder.origin || address.pathname.endsWith(LIST)) return;
  event.respondWith((async () => {
    const file = address.pathname === folder.pathname ? new URL("index.html", folder) : address;
    const [name] = await completeCaches();
    const cached = name && await (await caches.open(name)).match(file, { ignoreSearch: true });
    return cached ?? fetch(request);
  })());
});
