import { isPlainlyAmong, plainName } from "../headers/header-aliases.ts";
import { parameterIdentities } from "../urls/parameter-aliases.ts";

/** Where schemes look for credentials: names of headers and parameters, and the protocols of a WebSocket. */
type Places = Readonly<{
  headers?: readonly string[] | undefined;
  query?: readonly string[] | undefined;
  subprotocol?: boolean | undefined;
}>;

/** Names of headers and parameters in which the schemes of a configuration look for credentials. */
export type CredentialNames = Readonly<{
  headers: ReadonlySet<string>;
  parameters: ReadonlySet<string>;
}>;

/** The names where there is no scheme. */
export const noCredentialNames: CredentialNames = { headers: new Set(), parameters: new Set() };

const namesOfOwners = new WeakMap<object, CredentialNames>();

/**
 * Remembers, for a configuration and each route of it, where schemes look for credentials: what they read is a secret in
 * logs, traces, explanations and the inspector. What was remembered before stays, as the configuration may have two
 * gateways, each with schemes of its own.
 */
export function rememberCredentialNames(owners: readonly object[], places: readonly Places[]): void {
  if (places.length === 0) return;
  const added = places.map(namesIn);
  const all = owners[0] === undefined ? added : [credentialNamesOf(owners[0]), ...added];
  const names: CredentialNames = {
    headers: new Set(all.flatMap(({ headers }) => [...headers])),
    parameters: new Set(all.flatMap(({ parameters }) => [...parameters])),
  };
  for (const owner of owners) namesOfOwners.set(owner, names);
}

/** Where the schemes of the configuration look for credentials that something comes from. */
export function credentialNamesOf(owner: object | undefined): CredentialNames {
  return (owner && namesOfOwners.get(owner)) ?? noCredentialNames;
}

/** Remembers for a changed copy of something what is remembered for the original. */
export function inheritCredentialNames<Copy extends object>(copy: Copy, original: object): Copy {
  namesOfOwners.set(copy, credentialNamesOf(original));
  return copy;
}

/** Whether a scheme reads credentials in headers of this name, however an upstream has it spelt. */
export function isCredentialHeader(name: string, { headers }: CredentialNames): boolean {
  return headers.size > 0 && isPlainlyAmong(name.toLowerCase(), headers);
}

/** Whether a scheme reads credentials in parameters of this name, in any spelling of which upstreams make it. */
export function isCredentialParameter(name: string, { parameters }: CredentialNames): boolean {
  return parameters.size > 0 && identitiesOf(name).some((identity) => parameters.has(identity));
}

/** A token may stand among the protocols of a WebSocket, too. */
function namesIn({ headers = [], query = [], subprotocol = false }: Places): CredentialNames {
  const read = subprotocol ? [...headers, "sec-websocket-protocol"] : headers;
  return {
    headers: new Set(read.map((name) => plainName(name.toLowerCase()))),
    parameters: new Set(query.flatMap(identitiesOf)),
  };
}

function identitiesOf(name: string): readonly string[] {
  return parameterIdentities({ raw: name, name }).filter((identity) => identity !== "");
}
