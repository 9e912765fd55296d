import { describe } from "@jest/globals";
import { takingTurns } from "../fuzz/bounds.ts";
import { engines } from "../helpers/engines.ts";
import { allCases } from "./cases/all-cases.ts";
import { startConformanceGateway } from "./conformance-gateway.ts";
import { playRows } from "./play-rows.ts";

describe.each(engines)("bytes in, bytes out: $name", ({ name, create, turn }) => {
  // In the short form each row is played at one engine, and at the other one with everything on.
  playRows(takingTurns(allCases, engines.length, turn + 1), {
    engine: name,
    start: (port) => startConformanceGateway(create(), port),
  });
});
