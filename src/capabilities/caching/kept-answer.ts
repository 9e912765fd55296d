import { createUpstreamResponse } from "../../answers/upstream-response.ts";
import { createRepeatedBody } from "../../bodies/whole-body.ts";
import type { Headers, UpstreamResponse } from "../../delegating-handler.ts";
import { emptyHeaders } from "../../headers/headers-without-prototype.ts";
import type { KeptAnswer } from "../../stores/answer-store.ts";
import { isSoundHead, type KeptHead, listNames } from "./kept-head.ts";

/** An answer that is kept. */
export type Kept = Readonly<{ head: KeptHead; body: Buffer }> & Pick<KeptAnswer, "whole">;

/** Stands under the name of requests whose answers differ by further headers; what was kept under an older mark is gone. */
export type VaryMark = Readonly<{ varies: readonly string[]; mark: string }>;

/** What was found under a name; a store may give anything, and what is neither counts as nothing. */
export function readKept(found: KeptAnswer | undefined): Kept | VaryMark | undefined {
  if (found === undefined) return undefined;
  const { head, body, whole } = found;
  if (isMark(head)) return head as VaryMark;
  return isSoundHead(head) && Buffer.isBuffer(body) ? { head, body, whole } : undefined;
}

function isMark({ varies, mark }: Partial<Record<keyof VaryMark, unknown>>): boolean {
  return Array.isArray(varies) && varies.every((name) => typeof name === "string") && typeof mark === "string";
}

/** How old a kept answer is, in milliseconds. */
export function ageOf({ keptAt, age }: KeptHead): number {
  return age + Math.max(0, Date.now() - keptAt);
}

const oldest = 2 ** 31;

/** How old an answer is by its own word, in milliseconds: the first number of the first line. */
export function toldAge({ age }: Headers): number {
  const [, seconds = "0"] = /^\s*(\d+)\s*(?:[,;]|$)/.exec(String([age].flat()[0])) ?? [];
  return Math.min(Number(seconds), oldest) * 1_000;
}

/** Makes an answer of a kept one: its head may be changed. */
export function toAnswer({ head, body, whole }: Kept, isHeadRequest: boolean, age = ageOf(head)): UpstreamResponse {
  const { status, statusText, told } = head;
  const headers = Object.assign(emptyHeaders(), head.headers);
  for (const name of listNames(head)) headers[name] = (headers[name] as string[]).slice();
  headers.age = String(Math.floor(age / 1_000));
  const declared = { length: isHeadRequest ? told : body.length, status, isHead: isHeadRequest };
  const source = { body: whole ?? createRepeatedBody(body), declared, trailers: none };
  return createUpstreamResponse({ status, statusText, headers }, source);
}

const none = (): [] => [];
