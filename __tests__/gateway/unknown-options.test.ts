import { expect, test } from "@jest/globals";
import {
  accessLog,
  createGateway,
  inspector,
  loadConfig,
  metadataHeader,
  metadataResponder,
  parseConfig,
  problemDetails,
  watchConfig,
} from "../../src/index.ts";

const config = parseConfig({ Routes: [] }, { logger: false });
const gateway = createGateway(config, { logger: false });

// As somebody writes it who has no compiler.
const loose = (options: object): never => options as never;

test.each<[string, () => unknown, string]>([
  ["createGateway", () => createGateway(config, loose({ middlewares: [] })), 'Did you mean "middleware"?'],
  ["its limits", () => createGateway(config, { limits: loose({ concurrency: 1 }) }), 'Did you mean "concurrent"?'],
  [
    "parseConfig",
    () => parseConfig({}, loose({ acknowledgeUnsuported: [] })),
    'Did you mean "acknowledgeUnsupported"?',
  ],
  ["watchConfig", () => watchConfig("a.json", gateway, loose({ reload: 1 })), 'Did you mean "reloaded"?'],
  ["inspector", () => inspector(gateway, loose({ remote: true })), "There are allowRemote, hosts, secret."],
  ["metadataHeader", () => metadataHeader(loose({ selects: 1 })), 'Did you mean "select"?'],
  ["metadataResponder", () => metadataResponder(loose({ maxByte: 1 })), 'Did you mean "maxBytes"?'],
  ["problemDetails", () => problemDetails(loose({ log: 1 })), "There are logger."],
])("%s refuses an option that nobody reads", (_name, call, hint) => {
  expect(call).toThrow(expect.objectContaining({ code: "option-invalid", message: expect.stringContaining(hint) }));
});

test("loadConfig refuses an option that nobody reads", async () => {
  await expect(loadConfig("a.json", loose({ loger: false }))).rejects.toThrow('loadConfig() has no option "loger".');
});

test("accessLog refuses what is no logger", () => {
  expect(() => accessLog(undefined as never)).toThrow("accessLog() takes a logger");
});
