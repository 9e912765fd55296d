/** Sends requests over kept connections as fast as they are answered, and tells its parent how it went. */
import { readFileSync } from "node:fs";
import net from "node:net";
import { createHistogram } from "node:perf_hooks";

/** One run of the load generator. */
export type Load = Readonly<{
  port: number;
  method: string;
  path: string;
  /** Bytes of the request's body. */
  bodyBytes: number;
  connections: number;
  milliseconds: number;
  /** How many requests are made at least, however long that takes. */
  atLeast?: number;
  status: number;
  /** A file with tokens, one in each line: each request shows the next one of them. */
  tokenFile?: string;
}>;

/** What a run came to; latencies in milliseconds. */
export type LoadResult = Readonly<{ requests: number; seconds: number; p50: number; p99: number; failure?: string }>;

function requestBytes({ method, path, bodyBytes }: Load, token?: string): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: gateway.example:8080",
    "Connection: keep-alive",
    "User-Agent: bench",
    "Accept: application/json",
    "Accept-Encoding: gzip",
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(bodyBytes > 0 ? ["Content-Type: application/json", `Content-Length: ${bodyBytes}`] : []),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${"x".repeat(bodyBytes)}`);
}

/** Where in a file of tokens the next run goes on: a contender sees a token again only behind all others. */
const nextTokens = new Map<number, number>();

/** The bytes of each next request. */
function createNextBytes(load: Load): () => Buffer {
  const { port, tokenFile } = load;
  if (tokenFile === undefined) {
    const bytes = requestBytes(load);
    return () => bytes;
  }
  const requests = readFileSync(tokenFile, "utf8")
    .split("\n")
    .map((token) => requestBytes(load, token));
  return function nextBytes() {
    const index = nextTokens.get(port) ?? 0;
    nextTokens.set(port, (index + 1) % requests.length);
    return requests[index]!;
  };
}

const endOfHead = "\r\n\r\n";
const endOfChunks = "0\r\n\r\n";

/** Tells when an answer is complete; reads no more of it than it must. */
function createAnswerReader(status: number, done: () => void): (chunk: Buffer) => void {
  let head = "";
  let isInHead = true;
  let remaining = 0;
  let isChunked = false;
  return function readAnswer(chunk) {
    if (isInHead) readHead(chunk);
    else remaining -= chunk.length;
    if (isInHead || (isChunked ? !endsChunks(chunk) : remaining > 0)) return;
    isInHead = true;
    head = "";
    done();
  };

  function readHead(chunk: Buffer): void {
    head += chunk.toString("latin1", 0, Math.min(chunk.length, 4_096));
    const end = head.indexOf(endOfHead);
    if (end === -1) return;
    if (!head.startsWith(`HTTP/1.1 ${status} `)) throw new Error(`Expected status ${status}: ${head.slice(0, 100)}`);
    isInHead = false;
    isChunked = /transfer-encoding: *chunked/i.test(head);
    remaining = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0) + end + endOfHead.length - chunk.length;
  }

  function endsChunks(chunk: Buffer): boolean {
    return chunk.subarray(-endOfChunks.length).toString("latin1") === endOfChunks;
  }
}

function run(load: Load): Promise<LoadResult> {
  const nextBytes = createNextBytes(load);
  const latencies = createHistogram();
  const start = performance.now();
  const end = start + load.milliseconds;
  let requests = 0;
  let last = start;

  return Promise.all(Array.from({ length: load.connections }, keepAsking)).then(
    () => summary(),
    (error: unknown) => ({ ...summary(), failure: String(error) }),
  );

  function keepAsking(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = net.connect({ port: load.port, host: "127.0.0.1", noDelay: true });
      let asked = 0;
      const read = createAnswerReader(load.status, () => {
        last = performance.now();
        latencies.record(Math.max(1, Math.round((last - asked) * 1_000)));
        requests += 1;
        if (last < end || requests < (load.atLeast ?? 0)) ask();
        else socket.end(resolve);
      });
      socket
        .on("connect", ask)
        .on("error", reject)
        .on("close", () => reject(new Error("A connection was closed.")));
      socket.on("data", (chunk) => {
        try {
          read(chunk);
        } catch (error) {
          socket.destroy(error as Error);
        }
      });

      function ask(): void {
        asked = performance.now();
        socket.write(nextBytes());
      }
    });
  }

  function summary(): LoadResult {
    return {
      requests,
      seconds: (last - start) / 1_000,
      p50: latencies.percentile(50) / 1_000,
      p99: latencies.percentile(99) / 1_000,
    };
  }
}

process.on("message", (load: Load) => void run(load).then((result) => process.send?.(result)));
process.on("disconnect", () => process.exit());
process.send?.("ready");
