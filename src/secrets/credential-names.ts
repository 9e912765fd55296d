import { isPlainlyAmong, plainName } from "../headers/header-aliases.ts";
import { parameterIdentities } from "../urls/parameter-aliases.ts";

/*
 * What schemes of authentication read is a secret everywhere: in logs, traces, explanations and the inspector. Texts are
 * masked in many places that know no configuration, so the names are kept for the whole process. They come from
 * configurations and options alone, never from requests, and are few.
 */
const headers = new Set<string>();
const parameters = new Set<string>();

/** Names of headers and parameters in which schemes look for credentials. */
export type CredentialNames = Readonly<{
  headers?: readonly string[] | undefined;
  query?: readonly string[] | undefined;
  subprotocol?: boolean | undefined;
}>;

/** Notes in which headers and parameters a scheme looks; a token may stand among the protocols of a WebSocket, too. */
export function noteCredentialNames(names: CredentialNames): void {
  for (const name of names.headers ?? []) headers.add(plainName(name.toLowerCase()));
  if (names.subprotocol === true) headers.add("sec-websocket-protocol");
  for (const name of names.query ?? []) identitiesOf(name).forEach((identity) => parameters.add(identity));
}

/** Whether a scheme reads credentials in headers of this name, however an upstream has it spelt. */
export function isCredentialHeader(name: string): boolean {
  return headers.size > 0 && isPlainlyAmong(name.toLowerCase(), headers);
}

/** Whether a scheme reads credentials in parameters of this name, in any spelling of which upstreams make it. */
export function isCredentialParameter(name: string): boolean {
  return parameters.size > 0 && identitiesOf(name).some((identity) => parameters.has(identity));
}

function identitiesOf(name: string): readonly string[] {
  return parameterIdentities({ raw: name, name }).filter((identity) => identity !== "");
}
