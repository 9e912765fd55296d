import { UsageError } from "./command.ts";

/** A request to try. */
export type Probe = Readonly<{ method: string; path: string; host: string | undefined }>;

const requestLine = /^(?:([A-Za-z]+)\s+)?(?:https?:\/\/([^/?#\s]+))?(\/\S*|\?\S*|)$/;

/** Reads requests, one a line; empty lines and those that begin with `#` are left out. */
export function readProbes(text: string, file: string): Probe[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const written = line.trim();
    return written === "" || written.startsWith("#") ? [] : [readProbe(written, `${file}:${index + 1}`)];
  });
}

function readProbe(line: string, place: string): Probe {
  const [, method = "GET", host, path = ""] = requestLine.exec(line) ?? [];
  if (host === undefined && !path.startsWith("/")) {
    throw new UsageError(`${place}: expected a request such as GET /orders/7, found ${JSON.stringify(line)}.`);
  }
  return { method: method.toUpperCase(), path: path.startsWith("/") ? path : `/${path}`, host };
}
