import { GatewayError } from "../errors.ts";
import { isObject } from "../json/json-object.ts";
import { describeValue } from "./describe-value.ts";
import type { GatewayLimits } from "../capabilities/limits/route-limits.ts";
import type { GatewayOptions } from "./options.ts";
import { refuseUnknownOptions } from "./refuse-unknown-options.ts";

type Kind = Readonly<{ expected: string; fits: (value: unknown) => boolean }>;

/** What each option must be where it is given; Express reads `trustProxy`, and says itself what is wrong with it. */
const optionKinds: Readonly<Record<Exclude<keyof GatewayOptions, "trustProxy">, Kind>> = {
  middleware: { expected: "a list of handlers", fits: Array.isArray },
  handlers: { expected: "a list of functions", fits: (value) => isListOf(value, "function") },
  authentication: { expected: "an object of functions by name", fits: (value) => isRecordOf(value, "function") },
  namedHandlers: { expected: "an object of functions by name", fits: (value) => isRecordOf(value, "function") },
  discovery: { expected: "an object of functions by name", fits: (value) => isRecordOf(value, "function") },
  balancers: { expected: "an object of functions by name", fits: (value) => isRecordOf(value, "function") },
  headerPlaceholders: {
    expected: "an object of functions by names of letters, digits and _",
    fits: (value) => isRecordOf(value, "function") && Object.keys(value as object).every((name) => /^\w+$/.test(name)),
  },
  store: { expected: "an object with the function take", fits: (value) => hasFunctions(value, ["take"]) },
  aggregators: { expected: "an object of functions by name", fits: (value) => isRecordOf(value, "function") },
  responder: { expected: "a function", fits: (value) => typeof value === "function" },
  engine: {
    expected: "an object with the functions forward and close",
    fits: (value) => hasFunctions(value, ["forward", "close"]),
  },
  now: { expected: "a function", fits: (value) => typeof value === "function" },
  observers: {
    expected: "a list of objects with a function begin",
    fits: (value) => Array.isArray(value) && value.every((observer) => hasFunctions(observer, ["begin"])),
  },
  logger: {
    expected: "false, or an object with the functions error, warn, info and debug",
    fits: (value) => value === false || hasFunctions(value, ["error", "warn", "info", "debug"]),
  },
  limits: { expected: "an object", fits: isObject },
  via: { expected: "true or false", fits: (value) => typeof value === "boolean" },
  allowedOrigins: { expected: "a list of texts", fits: (value) => isListOf(value, "string") },
  metadata: { expected: "an object of types by key", fits: isObject },
};

const aboveZero: Kind = { expected: "a number above 0", fits: (value) => typeof value === "number" && value > 0 };

const limitKinds: Readonly<Record<keyof GatewayLimits, Kind>> = {
  body: { expected: "a number, 0 or more", fits: (value) => typeof value === "number" && value >= 0 },
  url: aboveZero,
  header: aboveZero,
  concurrent: aboveZero,
  connect: aboveZero,
  upload: aboveZero,
  download: aboveZero,
  sockets: aboveZero,
  idle: aboveZero,
};

/** Refuses options that would only fail, or do nothing, once requests come. */
export function checkOptions(options: GatewayOptions): void {
  if (!isObject(options)) throw invalid("options", "an object", options);
  refuseUnknownOptions(options, { ...namesOf(optionKinds), trustProxy: true }, "createGateway()");
  checkKinds(optionKinds, options, "");
  const { limits = {} } = options;
  refuseUnknownOptions(limits, namesOf(limitKinds), "The option limits of createGateway()");
  checkKinds(limitKinds, limits, "limits.");
}

function namesOf<Name extends string>(kinds: Readonly<Record<Name, Kind>>): Readonly<Record<Name, true>> {
  return Object.fromEntries(Object.keys(kinds).map((name) => [name, true])) as Record<Name, true>;
}

function checkKinds(kinds: Readonly<Record<string, Kind>>, values: object, prefix: string): void {
  const given = values as Readonly<Record<string, unknown>>;
  for (const [name, { expected, fits }] of Object.entries(kinds)) {
    const value = given[name];
    if (value !== undefined && !fits(value)) throw invalid(prefix + name, expected, value);
  }
}

function invalid(name: string, expected: string, value: unknown): GatewayError {
  return new GatewayError(
    "option-invalid",
    `Invalid option ${JSON.stringify(name)} of createGateway: expected ${expected}, received ${describeValue(value)}.`,
  );
}

function isListOf(value: unknown, type: "function" | "string"): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === type);
}

function isRecordOf(value: unknown, type: "function"): boolean {
  return isObject(value) && Object.values(value).every((item) => typeof item === type);
}

function hasFunctions(value: unknown, names: readonly string[]): boolean {
  const owner = (value ?? {}) as Readonly<Record<string, unknown>>;
  return names.every((name) => typeof owner[name] === "function");
}
