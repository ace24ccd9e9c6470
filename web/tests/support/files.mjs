// Access to the page's files for tests without a browser: `fetch` gets them from the server of `cargo host-tests`,
// whose address is in `LIGHTS_OUT_ADDRESS`.

import assert from "node:assert/strict";

export const address = process.env.LIGHTS_OUT_ADDRESS;
assert.ok(address, "LIGHTS_OUT_ADDRESS is not set: run `cargo host-tests`");

const fetchUrl = globalThis.fetch;
globalThis.fetch = (name) => fetchUrl(new URL(name, address));

/** The bytes of a file of the page. */
export const file = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
