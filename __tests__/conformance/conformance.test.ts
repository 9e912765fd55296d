import { describe } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { allCases } from "./cases/all-cases.ts";
import { startConformanceGateway } from "./conformance-gateway.ts";
import { playRows } from "./play-rows.ts";

describe.each(engines)("bytes in, bytes out: $name", ({ name, create }) => {
  playRows(allCases, { engine: name, start: (port) => startConformanceGateway(create(), port) });
});
