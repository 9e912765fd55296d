import type { IncomingMessage } from "node:http";
import proxyAddr from "proxy-addr";
import { GatewayError } from "../errors.ts";
import type { Logger } from "../logging/logger.ts";
import type { TrustProxy } from "../options/options.ts";
import { isPromise } from "../when-rejected.ts";

/** Says whether the peer at an address may tell who the client is; a function of the user's, which may fail. */
export type TrustAddress = (address: string, hop: number) => unknown;
type ExpressRequest = IncomingMessage & { app?: { get?: (setting: string) => unknown } };

/** Prepares the decision whether the peer of a request may say who the client is. */
export function createPeerTrust(option: TrustAddress | undefined, logger: Logger): (req: IncomingMessage) => boolean {
  let hasFailed = false;
  return function isTrusted(req) {
    try {
      const trusts = option ?? trustOfTheApp(req);
      return trusts !== undefined && isYes(trusts(req.socket.remoteAddress ?? "", 0));
    } catch (error) {
      noteOnce(error);
      return false;
    }
  };

  /** The function fails for each request alike: one line in the log is enough. */
  function noteOnce(error: unknown): void {
    if (!hasFailed)
      logger.error({ err: error }, "The function of trustProxy failed: peers for whom it does are not trusted.");
    hasFailed = true;
  }
}

function trustOfTheApp(req: ExpressRequest): TrustAddress | undefined {
  const trusts = req.app?.get?.("trust proxy fn");
  return typeof trusts === "function" ? (trusts as TrustAddress) : undefined;
}

/** A promise is truthy, and so would count as a yes. */
function isYes(answer: unknown): boolean {
  if (!isPromise(answer)) return Boolean(answer);
  answer.catch(() => undefined);
  throw new TypeError("It returned a promise. Whether a peer is trusted has to be known at once.");
}

/** The option means what Express's setting means. Without it each request's own app decides. */
export function compileTrust(option: TrustProxy | undefined): TrustAddress | undefined {
  if (option === undefined || typeof option === "function") return option;
  if (typeof option === "boolean") return () => option;
  if (typeof option === "number") return (_address, hop) => hop < option;
  try {
    return proxyAddr.compile(typeof option === "string" ? option.split(",").map((part) => part.trim()) : [...option]);
  } catch (cause) {
    const received = JSON.stringify(option);
    const expected = 'a number of hops, or addresses such as "loopback, 10.0.0.0/8"';
    const message = `Invalid option "trustProxy": expected ${expected}, received ${received}`;
    throw new GatewayError("option-invalid", message, { cause });
  }
}
