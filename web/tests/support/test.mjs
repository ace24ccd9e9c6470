// A test, if it was asked for: `cargo host-tests` tells the names of those that it wants. Without such a list, all are.

import { test as run } from "node:test";

const wanted = process.env.LIGHTS_OUT_TESTS?.split("\n");

export function test(name, act) {
  if (!wanted || wanted.includes(name)) run(name, act);
}
