import { describe, expect, test } from "@jest/globals";
import { createGateway, type GatewayOptions, parseConfig } from "../../src/index.ts";

const config = parseConfig({ Routes: [] }, { logger: false });
const handler = (): void => undefined;
const engine = { forward: handler, close: handler };

describe("an option that would fail only once requests come", () => {
  test.each<[string, unknown, string]>([
    ["options that are none", null, '"options" of createGateway: expected an object, received null'],
    [
      "one middleware without a list",
      { middleware: handler },
      '"middleware" of createGateway: expected a list of handlers, received a function',
    ],
    [
      "a handler that is missing",
      { handlers: [handler, undefined] },
      '"handlers" of createGateway: expected a list of functions, received [a function, undefined]',
    ],
    [
      "one handler without a list",
      { handlers: handler },
      '"handlers" of createGateway: expected a list of functions, received a function',
    ],
    [
      "a responder that was not made",
      { responder: {} },
      '"responder" of createGateway: expected a function, received an object',
    ],
    ["no responder, as null", { responder: null }, '"responder" of createGateway: expected a function, received null'],
    [
      "a factory instead of an engine",
      { engine: () => engine },
      '"engine" of createGateway: expected an object with the functions forward and close, received a function',
    ],
    [
      "a logger with half the methods",
      { logger: { error: handler } },
      '"logger" of createGateway: expected false, or an object with the functions error, warn, info and debug, received an object',
    ],
    [
      "a logger switched on",
      { logger: true },
      '"logger" of createGateway: expected false, or an object with the functions error, warn, info and debug, received true',
    ],
    [
      "a limit in words",
      { limits: { body: "1mb" } },
      '"limits.body" of createGateway: expected a number, 0 or more, received "1mb"',
    ],
    [
      "a limit that is no number",
      { limits: { url: NaN } },
      '"limits.url" of createGateway: expected a number above 0, received NaN',
    ],
    [
      "a time of nothing",
      { limits: { connect: 0 } },
      '"limits.connect" of createGateway: expected a number above 0, received 0',
    ],
    ["one number for all limits", { limits: 5 }, '"limits" of createGateway: expected an object, received 5'],
    ["a name for Via", { via: "gateway" }, '"via" of createGateway: expected true or false, received "gateway"'],
    [
      "one origin without a list",
      { allowedOrigins: "https://a.example" },
      '"allowedOrigins" of createGateway: expected a list of texts, received "https://a.example"',
    ],
    [
      "a list of keys",
      { metadata: ["a"] },
      '"metadata" of createGateway: expected an object of types by key, received ["a"]',
    ],
  ])("is refused when the gateway is made: %s", (_reason, options, message) => {
    const create = (): unknown => createGateway(config, options as GatewayOptions);
    expect(create).toThrow(expect.objectContaining({ code: "option-invalid", message: `Invalid option ${message}.` }));
  });

  test.each<[string, GatewayOptions]>([
    ["undefined options", { middleware: undefined, engine: undefined, limits: { body: undefined } } as object],
    ["limits at their ends", { limits: { body: 0, upload: Infinity, url: 1 } }],
    [
      "a logger that is a function with methods",
      { logger: Object.assign(handler, { error: handler, warn: handler, info: handler, debug: handler }) },
    ],
  ])("is not: %s", async (_reason, options) => {
    await createGateway(config, { logger: false, ...options }).close();
  });
});
