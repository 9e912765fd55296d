import type { EngineFailure } from "./engine.ts";
import { illFormedCode } from "../../ill-formed-answer.ts";

/** undici's errors that node:http has another name for, by what tells them apart. */
const translations: readonly Readonly<{ describes: (error: EngineFailure) => boolean; code: string }>[] = [
  { describes: ({ name }) => name === "HTTPParserError", code: illFormedCode },
  { describes: ({ code }) => code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH", code: illFormedCode },
  {
    describes: ({ code, message }) => code === "UND_ERR_SOCKET" && message.startsWith("bad "),
    code: illFormedCode,
  },
  {
    describes: ({ code }) => code === "UND_ERR_INVALID_ARG" || code === "UND_ERR_NOT_SUPPORTED",
    code: "ERR_INVALID_REQUEST",
  },
];

/** The failure by which every engine's failures of the kind are known; what undici gives may be user code's, and stays as it is. */
export function translateFailure(error: EngineFailure): EngineFailure {
  const translation = translations.find(({ describes }) => describes(error));
  if (translation === undefined) return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: translation.code });
}
