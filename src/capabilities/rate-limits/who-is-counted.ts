import { readAddress } from "../../addresses/read-address.ts";
import { clientAddressOf } from "../../addresses/client-address.ts";
import { rememberPerText } from "../../remember-per-text.ts";
import type { RouteConfig } from "../../config/sections.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { createTransformOfOne } from "../../headers/transforms/transform.ts";
import { isPreflight } from "../../identity/preflight.ts";
import type { CapabilitySurroundings } from "../capability.ts";
import { networkOf } from "../../addresses/ipv6-network.ts";

/** Who is counted: what a whitelist compares, and the name of the count. */
type Client = Readonly<{ id: string | undefined; name: string }>;

/** Finds out who is counted; a name says also what kind it is of, so that no header can be another client's address. */
export type FindClient = (exchange: MatchedExchange) => Client;

/** Makes the function that tells clients apart by a header, as header transforms will make it; else by address. */
export function createByHeader(
  header: string,
  config: RouteConfig,
  surroundings: CapabilitySurroundings,
  byAddress: FindClient,
): FindClient {
  const name = header.toLowerCase();
  const change = createTransformOfOne(name, config, surroundings);

  return function findByHeader(exchange) {
    const id = readHeader(exchange);
    return id === "" ? { id: undefined, name: byAddress(exchange).name } : { id, name: `header ${id}` };
  };

  function readHeader(exchange: MatchedExchange): string {
    const given = exchange.given[name];
    if (change === undefined) return textOf(given);
    const headers = given === undefined ? {} : { [name]: textOf(given) };
    change(headers, exchange);
    return textOf(headers[name]);
  }
}

function textOf(value: string | readonly string[] | undefined): string {
  return value === undefined ? "" : String(value).trim();
}

/** Makes the function that tells clients apart by their addresses; `tell` hears of an app that believes every address. */
export function createByAddress(tell: () => void): FindClient {
  return function findByAddress(exchange) {
    const { req } = exchange.context;
    if (!exchange.peers.trustsEverybody(req)) return clientAt(clientAddressOf(exchange) ?? "");
    // Clients could choose the address they are counted by: so it is that of the peer.
    tell();
    return clientAt(req.socket.remoteAddress ?? "");
  };
}

const clientAt = rememberPerText(function findClientAt(text): Client {
  const address = readAddress(text);
  if (address === undefined) return { id: undefined, name: "address" };
  return { id: address.address, name: `address ${networkOf(address)}` };
});

/** Makes the function that tells clients apart by who they are; whom no scheme has recognised, by address. */
export function createByIdentity(byAddress: FindClient): FindClient {
  return function findByIdentity(exchange) {
    const { identity, framing, context } = exchange;
    if (identity === undefined || identity.id === "") {
      const { name } = byAddress(exchange);
      // Browsers send preflights without credentials: they use up nothing of what guesses may.
      return { id: undefined, name: isPreflight(context.req, framing) ? `preflight ${name}` : name };
    }
    return { id: identity.id, name: `identity ${JSON.stringify(identity.scheme)} ${identity.id}` };
  };
}

/** Tells no clients apart. */
export function findNobody(): Client {
  return { id: undefined, name: "all" };
}
