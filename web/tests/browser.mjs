// The page in a real browser: everything that only a browser does. The files `*.test.mjs` test the rest without one.
//
// `cargo host-tests` sets these variables: `LIGHTS_OUT_ADDRESS` is the address of the page, `LIGHTS_OUT_BROWSER` the
// path of the browser, and `LIGHTS_OUT_BROWSER_KIND` is chromium or firefox.

import { after } from "node:test";
import "./browser/accessibility.mjs";
import "./browser/environment.mjs";
import "./browser/keys.mjs";
import "./browser/links.mjs";
import "./browser/texts.mjs";
import "./browser/touch.mjs";
import "./browser/workshop.mjs";
import { closeBrowser } from "./support/page-driver.mjs";

after(closeBrowser);
