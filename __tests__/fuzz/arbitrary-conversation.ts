import fc from "fast-check";
import type { AppName } from "../everything-on/create-apps.ts";
import { clientPlaces } from "./client-places.ts";
import { arbitraryValue, type ClientValue, textOf } from "./client-values.ts";
import type { NumberedRequest } from "./converse.ts";
import { arbitraryScript } from "./hostile-answers.ts";
import type { Script } from "./script.ts";

/** A value in one of the places that a client controls. */
export type PlacedValue = Readonly<{ place: string; value: ClientValue }>;

/** What one client asks on one connection, and what the upstream makes of its last request. */
export type Conversation = Readonly<{
  app: AppName;
  requests: readonly PlacedValue[];
  isPipelined: boolean;
  leavesAt: number | undefined;
  script: Script | undefined;
}>;

const places = new Map(clientPlaces.map((place) => [place.name, place]));
const apps: readonly AppName[] = ["compressing", "parsing", "plain"];

/** The request with this value, under this number. */
export function requestWith({ place, value }: PlacedValue, number: number): NumberedRequest {
  return { number, parts: places.get(place)!.put(textOf(value)) };
}

const placedValue: fc.Arbitrary<PlacedValue> = fc.record({
  place: fc.constantFrom(...places.keys()),
  value: arbitraryValue,
});

const conversation = {
  app: fc.constantFrom(...apps),
  isPipelined: fc.boolean(),
  leavesAt: fc.constantFrom(undefined, undefined, undefined, undefined, 0.02, 0.5, 0.99, 1),
};

/** Clients with values of any length in any place, several at the same time. */
export const arbitraryClients: fc.Arbitrary<Conversation[]> = fc.array(
  fc.record({
    ...conversation,
    requests: fc.array(placedValue, { minLength: 1, maxLength: 3 }),
    script: fc.constant(undefined),
  }),
  { minLength: 1, maxLength: 6 },
);

const harmless: PlacedValue = { place: "rest of a path", value: { length: 1, filling: "a" } };
const answered = [
  ...["rest of a path", "method that is replaced", "header Accept-Encoding", "body", "chunked body"],
  ...["room of a WebSocket", "partition key"],
].map((place): PlacedValue => ({ place, value: { length: 2, filling: "br" } }));

/** Ordinary clients of a hostile upstream. */
export const arbitraryUpstreams: fc.Arbitrary<Conversation[]> = fc.array(
  fc.record({
    ...conversation,
    requests: fc.constantFrom(...answered).map((last) => [harmless, last]),
    script: arbitraryScript,
  }),
  { minLength: 1, maxLength: 6 },
);
