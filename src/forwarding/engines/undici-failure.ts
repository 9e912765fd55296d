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

/** Gives a failure the code by which every engine's failures are known. */
export function translateFailure(error: EngineFailure): EngineFailure {
  const translation = translations.find(({ describes }) => describes(error));
  return translation === undefined ? error : Object.assign(error, { code: translation.code });
}
