import type { IncomingMessage } from "node:http";

const longestBody = 65_536;

/** What a body holds, or why it cannot be read. */
type ReadBody = Readonly<{ value: unknown }> | Readonly<{ fault: string }>;

type ParsedRequest = IncomingMessage & { body?: unknown };

/** Reads a body as JSON; one that was parsed before is taken as it is. */
export async function readJson(req: ParsedRequest): Promise<ReadBody> {
  if (!/^application\/json\b/i.test(req.headers["content-type"] ?? ""))
    return { fault: "The body must be application/json." };
  if (req.readableDidRead) return { value: req.body };
  let text = "";
  req.setEncoding("utf8");
  // The connection stays, and its next request stands behind the rest.
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
    text += chunk;
    if (text.length > longestBody) break;
  }
  if (text.length > longestBody) {
    req.resume();
    return { fault: "The body is too long." };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { fault: "The body is no JSON." };
  }
}
