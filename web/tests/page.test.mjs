// The files of the page as a whole.

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { file } from "./support/files.mjs";
import { test } from "./support/test.mjs";

/** Limits in bytes. CONTRIBUTING.md names the first two. The page has about 560 KB besides the module. */
const MAX_MODULE = 1_250_000, MAX_COMPRESSED_MODULE = 400_000, MAX_PAGE = 1_650_000;
const MAX_MEMORY = 256 * 2 ** 20, MEMORY_PAGE = 65_536;

test("emulator.wasm stays below its size limits", async () => {
  const module = await file("emulator.wasm");
  assert.ok(module.length > 500_000 && module.length <= MAX_MODULE, `${module.length} bytes`);
  const { length } = gzipSync(module, { level: 9 });
  assert.ok(length <= MAX_COMPRESSED_MODULE, `${length} bytes compressed`);
});

test("all files of the page together stay below their limit", async () => {
  const { files } = JSON.parse(new TextDecoder().decode(await file("files.json")));
  const sizes = await Promise.all(files.map(async (name) => (await file(name)).length));
  const sum = sizes.reduce((total, size) => total + size, 0);
  assert.ok(sum > 500_000 && sum <= MAX_PAGE, `${sum} bytes`);
});

test("emulator.wasm has no custom sections or unused exports", async () => {
  const module = await WebAssembly.compile(await file("emulator.wasm"));
  for (const name of ["name", "producers", "__wasm_bindgen_unstable"]) {
    assert.equal(WebAssembly.Module.customSections(module, name).length, 0, name);
  }
  const names = WebAssembly.Module.exports(module).map(({ name }) => name);
  assert.deepEqual(names.filter((name) => name.startsWith("__wb")), []);
});

test("emulator gets no more than 256 MB of memory", async () => {
  const module = await WebAssembly.compile(await file("emulator.wasm"));
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => {};
  const { exports: { memory } } = await WebAssembly.instantiate(module, imports);
  const left = (MAX_MEMORY - memory.buffer.byteLength) / MEMORY_PAGE;
  assert.throws(() => memory.grow(left + 1), RangeError);
  memory.grow(left);
  assert.equal(memory.buffer.byteLength, MAX_MEMORY);
});
