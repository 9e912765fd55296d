import { ServerResponse } from "node:http";
import { tellsFraming } from "../../../answers/answer-framing.ts";
import { headerSetters, toldMembers } from "../../../bodies/responses/members-of-answer.ts";

/** What is known of a response that middleware was given. */
export type Writing = {
  /** Whether what it writes reaches nobody. */
  isHeld: boolean;
  /** How many functions of middleware are writing the true answer. */
  writing: number;
};

type Call = (...values: unknown[]) => unknown;

const setting: ReadonlySet<string> = new Set(headerSetters);
const ofBody: ReadonlySet<string> = new Set([
  ...["content-type", "content-encoding", "content-range", "etag", "last-modified", "accept-ranges"],
]);
const ofAnswer: ReadonlySet<string | symbol> = new Set(toldMembers);

/** Whether a function sets headers. */
export function setsHeaders(name: string): boolean {
  return setting.has(name);
}

/**
 * Whether a header belongs to one answer: what a scheme says of its own does not hold for the true one, and the next
 * answer on the connection would be read as the rest of it.
 */
export function describesAnswer(name: string): boolean {
  return tellsFraming(name) || ofBody.has(name.toLowerCase());
}

/** Whether a member tells of one answer how it is written. */
export function isOfAnswer(name: string | symbol): boolean {
  return ofAnswer.has(name);
}

/** Whether a scheme sets something by itself on the true answer, and not as one of its functions writes that. */
export function isLate({ isHeld, writing }: Writing): boolean {
  return !isHeld && writing === 0;
}

/** Whether headers that are set late describe an answer that will not be sent; those of a list are looked at one by one. */
export function isPassedOver(name: string, [header]: readonly unknown[]): boolean {
  return name !== "setHeaders" && setting.has(name) && describesAnswer(String(header));
}

/** Lets a function that middleware has put in the place of one of Node's set all that it likes, for as long as it runs. */
export function whileItWrites(holding: Writing, name: string, value: unknown): unknown {
  if (typeof value !== "function" || !(name in ServerResponse.prototype)) return value;
  return function write(this: unknown, ...values: unknown[]): unknown {
    holding.writing += 1;
    try {
      return Reflect.apply(value as Call, this, values);
    } finally {
      holding.writing -= 1;
    }
  };
}
