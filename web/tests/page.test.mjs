// The files of the page as a whole.

import assert from "node:assert/strict";
import { file } from "./support/files.mjs";
import { test } from "./support/test.mjs";

const MAX_MEMORY = 256 * 2 ** 20, MEMORY_PAGE = 65_536;

test("all files of the page together stay small", async () => {
  const { files } = JSON.parse(new TextDecoder().decode(await file("files.json")));
  const sizes = await Promise.all(files.map(async (name) => (await file(name)).length));
  const sum = sizes.reduce((total, size) => total + size, 0);
  assert.ok(sum > 500_000 && sum < 1_480_000, `${sum} bytes`);
});

test("the emulator gets no more than 256 MB of memory", async () => {
  const module = await WebAssembly.compile(await file("emulator.wasm"));
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => {};
  const { exports: { memory } } = await WebAssembly.instantiate(module, imports);
  const left = (MAX_MEMORY - memory.buffer.byteLength) / MEMORY_PAGE;
  assert.throws(() => memory.grow(left + 1), RangeError);
  memory.grow(left);
  assert.equal(memory.buffer.byteLength, MAX_MEMORY);
});
