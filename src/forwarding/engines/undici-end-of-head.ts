import type { Socket } from "node:net";

/** undici's parser, as far as it is told here to end. */
type Parser = Record<"onHeaderField" | "onHeaderValue", () => number>;

const overflow = "UND_ERR_HEADERS_OVERFLOW";
const stop = (): number => -1;

/**
 * Ends the parsing of a head, or of trailers, that is longer than undici (8.12) takes: undici only ends the connection, and
 * then makes an error, with its stack, for each name and each value in the rest of what was read, thousands of them.
 */
export function endWithLongHead(socket: Socket): void {
  const destroy = socket.destroy.bind(socket);
  socket.destroy = function destroyWithParser(error) {
    if ((error as Readonly<{ code?: unknown }> | undefined)?.code === overflow) endParser(socket);
    return destroy(error);
  };
}

/** To the parser, anything but 0 is an error. */
function endParser(socket: Socket): void {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === "parser");
  const parser: unknown = key === undefined ? undefined : Reflect.get(socket, key);
  if (typeof parser === "object" && parser !== null)
    Object.assign(parser, { onHeaderField: stop, onHeaderValue: stop } satisfies Parser);
}
