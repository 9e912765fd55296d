import net from "node:net";
import { type Message, readMessages, valuesOf } from "./read-messages.ts";

/** What a client has read from its connection. */
export type Conversation = Readonly<{
  answers: readonly Message[];
  rest: string;
  wasClosed: boolean;
  sentinel: Message | undefined;
}>;

/** Asks for what every upstream of the suite answers alike, whatever it does otherwise. */
export const sentinelRequest = "GET /api/sentinel HTTP/1.1\r\nHost: gw.example\r\nConnection: close\r\n\r\n";

/**
 * Writes bytes, waits for as many answers, and then asks for the sentinel on the same connection if it is still open:
 * whatever was left on it, or is missing, would spoil that answer.
 */
export function talk(port: number, bytes: string, expected: number): Promise<Conversation> {
  const methods = [...bytes.matchAll(/(?:^|\r\n\r\n)([A-Z]+) \S+ HTTP\/1\.[01]\r\n/g)].map(([, method]) => method!);
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
    let received = "";
    let askedFor = expected;
    let askedSentinel = false;
    socket.setEncoding("latin1");
    socket.on("error", () => undefined);
    socket.on("data", (text: string) => {
      received += text;
      if (askedSentinel || read(received, false).messages.length < askedFor) return;
      askedSentinel = true;
      askedFor += 1;
      methods[expected] = "GET";
      socket.write(sentinelRequest);
    });
    socket.on("close", () => {
      const { messages, rest } = read(received, true);
      const sentinel = messages.length > expected ? messages[expected] : undefined;
      resolve({ answers: messages.slice(0, expected), rest, wasClosed: sentinel === undefined, sentinel });
    });
    socket.write(bytes, "latin1");
  });

  function read(text: string, isClosed: boolean) {
    const withoutInterim = text.replace(/^(?:HTTP\/1\.1 1\d\d [^]*?\r\n\r\n)+/, "");
    return readMessages(withoutInterim, ({ line, headers }, index) => {
      const status = Number(line.split(" ")[1]);
      if (methods[index] === "HEAD" || status === 204 || status === 304) return "none";
      const isFramed = valuesOf(headers, "content-length").length + valuesOf(headers, "transfer-encoding").length > 0;
      if (isFramed) return "framed";
      return isClosed ? "until-close" : "unfinished";
    });
  }
}
