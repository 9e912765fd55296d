import { readAddress } from "../../addresses/read-address.ts";
import { clientAddressOf } from "../../addresses/client-address.ts";
import { rememberPerText } from "../../remember-per-text.ts";
import { GatewayError } from "../../errors.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import type { GatewayOptions } from "../../options/options.ts";
import { ignoreRejection } from "../../when-rejected.ts";
import type { Direction } from "./change.ts";

/** What is put in the place of a placeholder; undefined where there is nothing. */
export type Fill = (exchange: MatchedExchange) => string | undefined;

/** Finds what a placeholder stands for; undefined for one that is not known. */
export type FindFill = (name: string) => Fill | undefined;

const traceParent = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/;

const writeAddress = rememberPerText((text) => readAddress(text)?.address);

const fills: Readonly<Record<string, Fill>> = {
  RemoteIpAddress: (exchange) => writeAddress(clientAddressOf(exchange) ?? ""),
  UpstreamHost: ({ given }) => given.host,
  TraceId: ({ context }) => traceParent.exec(String(context.req.headers.traceparent))?.[1],
};

// What is asked is not known before a request is sent.
const answerFills: Readonly<Record<string, Fill>> = {
  ...fills,
  DownstreamBaseUrl: ({ askedOrigin }) => askedOrigin,
};

const usual = { request: fills, answer: answerFills } as const;

/** Prepares how placeholders are filled: those of the option go before those that there are anyway. */
export function createFindFill(
  direction: Direction,
  baseUrl: string | undefined,
  own: GatewayOptions["headerPlaceholders"] = {},
): FindFill {
  return function findFill(name) {
    if (Object.hasOwn(own, name)) return fillByUser(name, own[name]!);
    const known = usual[direction];
    if (Object.hasOwn(known, name)) return known[name];
    if (name === "BaseUrl" && baseUrl !== undefined) return () => baseUrl;
    const near = Object.keys(own).find((other) => other.toLowerCase() === name.toLowerCase());
    if (near !== undefined) throw misspelt(name, near);
    return undefined;
  };
}

function fillByUser(name: string, callback: NonNullable<GatewayOptions["headerPlaceholders"]>[string]): Fill {
  return function fillPlaceholder({ context }) {
    const text: unknown = callback(context);
    if (text === undefined || typeof text === "string") return text;
    ignoreRejection(text);
    throw new GatewayError(
      "handler-misuse",
      `The function ${JSON.stringify(name)} of the option headerPlaceholders gave a ${typeof text}; expected a text.`,
    );
  };
}

function misspelt(name: string, near: string): GatewayError {
  return new GatewayError(
    "name-unknown",
    `A header transform names {${name}}, but the option headerPlaceholders has ${JSON.stringify(near)}: upper and lower case count.`,
  );
}
