// Runs a test if `cargo host-tests` has asked for it by name in `LIGHTS_OUT_TESTS`. Without this list, all tests run.

import { test as run } from "node:test";

const names = process.env.LIGHTS_OUT_TESTS?.split("\n");

export function test(name, act) {
  if (!names || names.includes(name)) run(name, act);
}
