import { requestWith } from "../../__tests__/fuzz/arbitrary-conversation.ts";
import { clientPlaces } from "../../__tests__/fuzz/client-places.ts";
import { fillings, lengths } from "../../__tests__/fuzz/client-values.ts";
import { converse } from "../../__tests__/fuzz/converse.ts";
import type { Plan } from "./plan-request.ts";
import { createRandom, pick } from "./random.ts";
import type { Outcome } from "./send-request.ts";

const places = clientPlaces.map(({ name }) => name);

/** A value of any length in any place that a client controls, and whether a strict client is content with the answers. */
export async function sendHostile({ number, abortAfter }: Plan, port: number, isNamed: boolean): Promise<Outcome> {
  const random = createRandom(number);
  const value = { length: pick(lengths, random), filling: pick(fillings, random) };
  const placed = { place: pick(places, random), value };
  const isPipelined = random() < 0.5;
  const ordinary = { place: "rest of a path", value: { length: 1, filling: "a" } };
  const requests = [placed, ordinary].map((each, index) => requestWith(each, number * 2 + index));
  const leavesAt = abortAfter === undefined ? undefined : random();
  const problems = await converse(port, requests, { isPipelined, leavesAt, isNamed });
  if (leavesAt !== undefined) return "left by the client";
  return problems.length === 0 ? "as expected" : `failed: ${placed.place} ${JSON.stringify(value)}: ${problems[0]!}`;
}
