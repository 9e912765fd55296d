import type { EngineFailure } from "./engine.ts";

const illFormed = "HPE_INVALID_ANSWER";

/** The failure for an ill-formed answer that undici accepts. */
export function illFormedAnswer(message: string): EngineFailure {
  return Object.assign(new Error(message), { code: illFormed });
}

/** undici's errors that node:http has another name for, by what tells them apart. */
const translations: readonly Readonly<{ describes: (error: EngineFailure) => boolean; code: string }>[] = [
  { describes: ({ name }) => name === "HTTPParserError", code: illFormed },
  { describes: ({ code }) => code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH", code: illFormed },
  {
    describes: ({ code, message }) => code === "UND_ERR_SOCKET" && message.startsWith("bad "),
    code: illFormed,
  },
  {
    describes: ({ code }) => code === "UND_ERR_INVALID_ARG" || code === "UND_ERR_NOT_SUPPORTED",
    code: "ERR_INVALID_REQUEST",
  },
];

/** Gives a failure the code by which every engine's failures are known. */
export function translateFailure(error: EngineFailure): EngineFailure {
  const translation = translations.find(({ describes }) => describes(error));
  return translation === undefined ? error : Object.assign(error, { code: translation.code });
}
