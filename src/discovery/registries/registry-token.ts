import { readFile } from "node:fs/promises";
import type { ProviderConfig } from "../../capabilities/service-discovery/provider-keys.ts";

/** Reads the token that a registry is asked with; one in a file is read for each question, as it may be another one. */
export function createTokenReader(
  { Token: token, TokenFile }: ProviderConfig,
  usualFile?: string,
): () => Promise<string | undefined> {
  const file = TokenFile ?? usualFile;
  if (token !== undefined || file === undefined) return () => Promise.resolve(token);
  return async function readToken() {
    return (await readFile(file, "utf8")).trim();
  };
}
