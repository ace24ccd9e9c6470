// The page without a network, and its updates. service-worker.js hands out the files as they were when they were last complete;
// files.json, made when the page is put together, tells the version of what a host has now.

/** `offer` is called when a newer page has been fetched, with what makes the page use it. */
export async function goOffline(offer) {
  if (!navigator.serviceWorker) return;
  const registration = await navigator.serviceWorker.register("service-worker.js");
  const { active } = await navigator.serviceWorker.ready;
  const worker = registration.active ?? active;
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data === "updated") offer(() => location.reload());
  });
  worker.postMessage("look for an update");
}
