// The page without a network, and its updates. service-worker.js serves the files of the last complete version.
// files.json has the version that the host offers now. While `cargo play` is still building a file, there is no list.

/** Whether the host has a file of the page: `available`, `missing`, or `being built`. */
export async function stateOf(name) {
  const response = navigator.onLine ? await fetch("files.json", { cache: "no-store" }).catch(() => null) : null;
  if (response?.status === 202) return "being built";
  // Without a host, the browser has stored the complete page.
  if (!response?.ok) return "available";
  return (await response.json()).files.includes(name) ? "available" : "missing";
}

/** Installs the service worker. When a newer page has been loaded, `onUpdate` gets the function that switches to it. */
export async function goOffline(onUpdate) {
  if (!navigator.serviceWorker) return;
  const registration = await navigator.serviceWorker.register("service-worker.js");
  const { active } = await navigator.serviceWorker.ready;
  const worker = registration.active ?? active;
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data === "updated") onUpdate(() => location.reload());
  });
  if (navigator.onLine) worker.postMessage("look for an update");
}
