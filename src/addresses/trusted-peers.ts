import type { IncomingMessage } from "node:http";
import proxyAddr from "proxy-addr";
import { GatewayError } from "../errors.ts";
import type { Logger } from "../logging/logger.ts";
import type { TrustProxy } from "../options/options.ts";
import { ignoreRejection, isPromise } from "../when-rejected.ts";

/** Says whether the peer at an address may tell who the client is; a function of the user's, which may fail. */
type TrustAddress = (address: string, hop: number) => unknown;
/** The option `trustProxy`, read. */
type CompiledTrust = Readonly<{ trusts: TrustAddress; isEverybody: boolean }>;

type ExpressRequest = IncomingMessage & { app?: { get?: (setting: string) => unknown } };

/** Who may say who the client of a request is. */
export type PeerTrust = Readonly<{
  /** Whether one of the addresses that a request came by is believed; the peer is the first, at hop 0. */
  trusts: (req: IncomingMessage, address: string | undefined, hop: number) => boolean;
  /** Whether every address is believed, so that clients say themselves what theirs is. */
  trustsEverybody: (req: IncomingMessage) => boolean;
}>;

/** Prepares the decision who may say who the client of a request is. */
export function createPeerTrust(compiled: CompiledTrust | undefined, logger: Logger): PeerTrust {
  let hasFailed = false;
  return { trusts, trustsEverybody };

  function trusts(req: IncomingMessage, address: string | undefined, hop: number): boolean {
    try {
      const trust = compiled?.trusts ?? settingOfTheApp(req, "trust proxy fn");
      return typeof trust === "function" && isYes((trust as TrustAddress)(address ?? "", hop));
    } catch (error) {
      noteOnce(error);
      return false;
    }
  }

  function trustsEverybody(req: IncomingMessage): boolean {
    return compiled?.isEverybody ?? settingOfTheApp(req, "trust proxy") === true;
  }

  /** The function fails for each request alike: one line in the log is enough. */
  function noteOnce(error: unknown): void {
    if (!hasFailed)
      logger.error({ err: error }, "The function of trustProxy failed: peers for whom it does are not trusted.");
    hasFailed = true;
  }
}

function settingOfTheApp(req: ExpressRequest, setting: string): unknown {
  return req.app?.get?.(setting);
}

/** A promise is truthy, and so would count as a yes. */
function isYes(answer: unknown): boolean {
  if (!isPromise(answer)) return Boolean(answer);
  ignoreRejection(answer);
  throw new TypeError("It returned a promise. Whether a peer is trusted has to be known at once.");
}

/** The option means what Express's setting means. Without it each request's own app decides. */
export function compileTrust(option: TrustProxy | undefined): CompiledTrust | undefined {
  return option === undefined ? undefined : { trusts: readTrust(option), isEverybody: option === true };
}

function readTrust(option: TrustProxy): TrustAddress {
  if (typeof option === "function") return option;
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
