// Hands out the page from a cache, so that it works without a network and is the same version from its first file to its last.
//
// One cache for each version. A new version is fetched as a whole into a cache of its own; only when it is complete is it the
// one that is handed out, from the next load of the page on. Addresses are relative to the folder that the page is in.
"use strict";

const NAME = `lights-out-page ${new URL(".", location.href).pathname} `;
const LIST = "files.json";

/** The caches that are complete: the list of the files goes in last. */
async function versions() {
  const names = (await caches.keys()).filter((name) => name.startsWith(NAME));
  const complete = await Promise.all(names.map(async (name) => (await caches.open(name)).match(LIST)));
  return names.filter((_, index) => complete[index]);
}

/** What the host has now. Without a list, nothing is kept. */
async function listed() {
  const answer = await fetch(LIST, { cache: "no-store" });
  // While some of it is still being built, it is 202.
  if (answer.status !== 200) throw new Error(`${LIST}: ${answer.status}`);
  return answer.json();
}

/** Fetches what the host has now, if it is not here yet; true if it was not. */
async function update() {
  const list = await listed();
  const { version, files } = list;
  const name = NAME + version;
  if ((await versions()).includes(name)) return false;
  const fetched = await Promise.all(files.map(async (file) => {
    const answer = await fetch(file, { cache: "reload" });
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
    return [file, answer];
  }));
  const cache = await caches.open(name);
  await Promise.all(fetched.map(([file, answer]) => cache.put(file, answer)));
  await cache.put(LIST, new Response(JSON.stringify(list)));
  await Promise.all((await caches.keys()).filter((other) => other.startsWith(NAME) && other !== name).map((other) => caches.delete(other)));
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
  // Without a network there is no update, and nothing to tell.
  event.waitUntil(update().then((isNew) => { if (isNew) event.source.postMessage("updated"); }).catch(() => {}));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  const folder = new URL(".", location.href);
  if (request.method !== "GET" || address.origin !== folder.origin || address.pathname.endsWith(LIST)) return;
  event.respondWith((async () => {
    const file = address.pathname === folder.pathname ? new URL("index.html", folder) : address;
    const [name] = await versions();
    const kept = name && await (await caches.open(name)).match(file, { ignoreSearch: true });
    return kept ?? fetch(request);
  })());
});
