import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { PeerTrust } from "./trusted-peers.ts";

/** What of a request tells where its client is. */
type AddressedRequest = Readonly<{
  context: Readonly<{ req: IncomingMessage }>;
  /** As they came from the client. */
  given: IncomingHttpHeaders;
  peers: PeerTrust;
  peerIsTrusted: boolean;
}>;

/**
 * The address of the client as it is written: of those that a request came by the last that is not trusted. It may be
 * anything that a trusted peer has told.
 */
export function clientAddressOf(request: AddressedRequest): string | undefined {
  const { context, given, peerIsTrusted } = request;
  const isDirect = !peerIsTrusted || given["x-forwarded-for"] === undefined;
  return isDirect ? context.req.socket.remoteAddress : forwardedAddress(request);
}

// Nobody has so many proxies, and a client of the last one may write thousands.
const mostHops = 100;

/**
 * As Express finds `req.ip`, in an app that trusts the same peers; what lies beyond a hundred hops is not believed, and
 * a place where no address stands is not passed over, as whoever is before it is not the client.
 */
function forwardedAddress({ context: { req }, given, peers }: AddressedRequest): string | undefined {
  // The middleware may have removed the header from the request.
  const told = String(given["x-forwarded-for"]).split(",").reverse();
  let address = req.socket.remoteAddress;
  for (const [hop, earlier] of told.slice(0, mostHops).entries()) {
    if (address === "" || !peers.trusts(req, address, hop)) break;
    address = earlier.trim();
  }
  return address;
}
