// The page in a real browser: what only a browser does. All the rest is tested without one, by the files that end in `.test.mjs`.
//
// `LIGHTS_OUT_ADDRESS` is where the page is, `LIGHTS_OUT_BROWSER` the browser's program, `LIGHTS_OUT_BROWSER_KIND` chromium or firefox;
// `cargo host-tests` sees to them.

import { after } from "node:test";
import "./browser/accessibility.mjs";
import "./browser/keys.mjs";
import "./browser/links.mjs";
import "./browser/surroundings.mjs";
import "./browser/touch.mjs";
import "./browser/words.mjs";
import "./browser/workshop.mjs";
import { closeBrowser } from "./support/visitor.mjs";

after(closeBrowser);
