import { randomBytes } from "node:crypto";
import { GatewayError } from "../errors.ts";
import type { InspectorAccess } from "./refuse-other-machines-and-sites.ts";

/** Who may use the inspector; by default somebody at this machine only, with the secret of its link. */
export type InspectorOptions = Readonly<{
  /** Whether other machines may ask; `false` by default. */
  allowRemote?: boolean | undefined;
  /** Names by which the inspector may be asked for, besides localhost, 127.0.0.1 and [::1]. */
  hosts?: readonly string[] | undefined;
  /** What opens the page; at least 16 characters. By default random and new at each start. */
  secret?: string | undefined;
}>;

/** Who may ask at all. */
export function readAccess({ allowRemote = false, hosts = [] }: InspectorOptions): InspectorAccess {
  return { allowRemote, hosts: new Set(hosts.map((host) => host.toLowerCase())) };
}

const shortestSecret = 16;
const visible = /^[!-~]+$/;

/** A secret by chance. */
export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The secret of the link; by default a random one. */
export function readSecret({ secret }: InspectorOptions): string {
  if (secret === undefined) return createSecret();
  if (typeof secret === "string" && secret.length >= shortestSecret && visible.test(secret)) return secret;
  throw new GatewayError(
    "option-invalid",
    `The option "secret" of inspector() is a text of at least ${shortestSecret} visible ASCII characters, without blanks.`,
  );
}

/** The link to an address, with the secret behind its `#`, which browsers send to no server. */
export function createLink(address: string | URL, secret: string): string {
  const url = URL.parse(String(address));
  if (url === null) {
    throw new GatewayError(
      "option-invalid",
      `link() takes the address at which the inspector is mounted, such as "http://localhost:8080/_gateway", received ${JSON.stringify(String(address))}.`,
    );
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  url.hash = `token=${encodeURIComponent(secret)}`;
  return url.href;
}
