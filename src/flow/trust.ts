import type { IncomingMessage } from "node:http";
import express from "express";
import { GatewayError } from "../errors.ts";
import type { TrustProxy } from "../options/options.ts";

type TrustAddress = (address: string, hop: number) => boolean;
type ExpressRequest = IncomingMessage & { app?: { get?: (setting: string) => unknown } };

/** Prepares the decision whether the peer of a request may say who the client is. */
export function createPeerTrust(option: TrustProxy | undefined): (req: IncomingMessage) => boolean {
  if (option === undefined) return trustAsTheApp;
  const trusts = compileTrust(option);
  return function trustAsConfigured(req) {
    return trusts(req.socket.remoteAddress ?? "", 0);
  };
}

function trustAsTheApp(req: ExpressRequest): boolean {
  const trusts = req.app?.get?.("trust proxy fn");
  return typeof trusts === "function" && (trusts as TrustAddress)(req.socket.remoteAddress ?? "", 0);
}

/** Express reads the setting, so that it means here what it means there. */
function compileTrust(option: TrustProxy): TrustAddress {
  const app = express();
  try {
    app.set("trust proxy", option);
  } catch (cause) {
    const received = JSON.stringify(option);
    const expected = 'a number of hops, or addresses such as "loopback, 10.0.0.0/8"';
    const message = `Invalid option "trustProxy": expected ${expected}, received ${received}`;
    throw new GatewayError("option-invalid", message, { cause });
  }
  return app.get("trust proxy fn") as TrustAddress;
}
