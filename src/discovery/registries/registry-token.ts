import type { ProviderConfig } from "../../capabilities/service-discovery/provider-keys.ts";
import { readChangingFile } from "../../named-files.ts";

/** Reads the token that a registry is asked with; one in a file is read for each question, as it may be another one. */
export function createTokenReader(
  { Token: token, TokenFile }: ProviderConfig,
  usualFile?: string,
): () => Promise<string | undefined> {
  const file = TokenFile ?? usualFile;
  if (token !== undefined || file === undefined) return () => Promise.resolve(token);
  return async function readToken() {
    try {
      return (await readChangingFile(file)).toString().trim();
    } catch (error) {
      throw new Error(`The file of the token, ${JSON.stringify(file)}, cannot be read: ${String(error)}`, {
        cause: error,
      });
    }
  };
}
