// All that needs a browser, in one suite: each start of a browser costs more than most of these tests.
import { afterAll } from "@jest/globals";
import "./example-app/start-page-in-browser.ts";
import { closeBrowser } from "./helpers/browser.ts";
import "./inspector/in-browser.ts";
import "./inspector/link-in-browser.ts";
import "./inspector/state-in-browser.ts";
import "./openapi/in-browser.ts";
import "./websockets/in-browser.ts";

afterAll(closeBrowser);
