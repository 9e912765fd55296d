import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import type { Authenticator } from "./authenticator.ts";
import { type CredentialPlaces, joinPlaces, showsCredential, withoutPlaces } from "./credential-places.ts";

type Asked = Readonly<{ authenticate: Authenticator }>;

/** Whether a scheme that works has judged a credential, which no scheme that fails could have read. */
export function isGuess<Scheme extends Asked>(
  schemes: readonly Scheme[],
  failed: ReadonlySet<Scheme>,
  exchange: MatchedExchange,
): boolean {
  const [sound, failing] = [schemes.filter((scheme) => !failed.has(scheme)), [...failed]].map(placesOf);
  return showsCredential(exchange.context.req, withoutPlaces(sound!, failing!));
}

function placesOf(schemes: readonly Asked[]): CredentialPlaces {
  return joinPlaces(schemes.map(({ authenticate: { reads = {} } }) => reads));
}
