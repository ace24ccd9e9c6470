// The page without a network, and its updates. service-worker.js hands out the files as they were when they were last complete;
// files.json, made when the page is put together, tells the version of what a host has now. While `cargo play` is still building some
// of it, there is no such list yet.

/** Whether the host has a file of the page: `there`, `missing`, or `being built`. */
export async function stateOf(name) {
  const answer = navigator.onLine ? await fetch("files.json", { cache: "no-store" }).catch(() => null) : null;
  if (answer?.status === 202) return "being built";
  // No host can be asked: then the browser has kept the page, and all of it.
  if (!answer?.ok) return "there";
  return (await answer.json()).files.includes(name) ? "there" : "missing";
}

/** `offer` is called when a newer page has been fetched, with what makes the page use it. */
export async function goOffline(offer) {
  if (!navigator.serviceWorker) return;
  const registration = await navigator.serviceWorker.register("service-worker.js");
  const { active } = await navigator.serviceWorker.ready;
  const worker = registration.active ?? active;
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data === "updated") offer(() => location.reload());
  });
  if (navigator.onLine) worker.postMessage("look for an update");
}
