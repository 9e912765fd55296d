import type { Headers } from "../../delegating-handler.ts";
import { isKeptStatus } from "./kept-statuses-and-times.ts";

/** The head of an answer as it is kept; times are milliseconds since 1970. */
export type KeptHead = Readonly<{
  status: number;
  statusText: string;
  headers: Headers;
  /** The length that an answer to HEAD tells. */
  told?: number | undefined;
  /** Who gave it. */
  origin: string | undefined;
  keptAt: number;
  /** How old it was then, by its own word; milliseconds. */
  age: number;
  endsAt: number;
  /** What RFC 9111 says of it, where that decides. */
  policy?: object;
}>;

const checked = new WeakSet<object>();
const namesOfLists = new WeakMap<KeptHead, readonly string[]>();

/** The names of the headers whose values are lists, looked for once where the head stays in the memory of this process. */
export function listNames(head: KeptHead): readonly string[] {
  const known = namesOfLists.get(head);
  if (known !== undefined) return known;
  const names = Object.keys(head.headers).filter((key) => Array.isArray(head.headers[key]));
  namesOfLists.set(head, names);
  return names;
}

/**
 * Whether the head of an answer is one as this package keeps it. A store may give anything, and what cannot be given to a
 * client is not found; what stays in the memory of this process is looked at once.
 */
export function isSoundHead(head: object): head is KeptHead {
  if (checked.has(head)) return true;
  const isSound = isHead(head);
  if (isSound) checked.add(head);
  return isSound;
}

function isHead({
  status,
  statusText,
  headers,
  told,
  origin,
  keptAt,
  age,
  endsAt,
  policy,
}: Partial<Record<keyof KeptHead, unknown>>): boolean {
  return (
    isKeptStatus(status) &&
    isLine(statusText) &&
    areHeaders(headers) &&
    (told === undefined || isLength(told)) &&
    (origin === undefined || (typeof origin === "string" && URL.canParse(origin))) &&
    isLength(age) &&
    [keptAt, endsAt].every(isInstant) &&
    (policy === undefined || isObject(policy))
  );
}

const name = /^[!#$%&'*+.^_`|~\da-z-]+$/;
const line = /^[\t\x20-\x7e\x80-\xff]*$/;

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function areHeaders(headers: unknown): boolean {
  if (!isObject(headers) || Array.isArray(headers)) return false;
  return Object.entries(headers).every(([key, value]) => name.test(key) && (isLine(value) || isListOfLines(value)));
}

function isListOfLines(value: unknown): boolean {
  return Array.isArray(value) && value.every(isLine);
}

function isLine(value: unknown): boolean {
  return typeof value === "string" && line.test(value);
}

function isInstant(value: unknown): boolean {
  return typeof value === "number" && !Number.isNaN(new Date(value).getTime());
}

function isLength(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
