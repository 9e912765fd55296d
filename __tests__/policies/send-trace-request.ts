import http from "node:http";
import { noAnswer, type TraceAnswer, type TraceRequest } from "./trace.ts";

/** Sends a request as it was recorded: nothing but `Host` and a length is added. */
export function sendTraceRequest(
  port: number,
  request: TraceRequest,
  hasArrived: () => boolean = () => true,
): Promise<TraceAnswer> {
  const { method, path, headers = {}, from, to = "127.0.0.1", timeoutMs = 20_000 } = request;
  const body = request.bodyRepeat === undefined ? request.body : request.bodyRepeat[0].repeat(request.bodyRepeat[1]);
  const chunked = request.chunkedBody === undefined ? {} : { "transfer-encoding": "chunked" };
  const isChunked = Object.keys(headers).some((name) => name.toLowerCase() === "transfer-encoding");
  const length = body === undefined || isChunked ? {} : { "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = http.request({
      ...{ host: to, port, method, path, agent: false, timeout: timeoutMs },
      ...(from === undefined ? {} : { localAddress: from }),
      headers: { ...headers, ...length, ...chunked },
    });
    sent.on("response", (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", () => settle(true));
      answer.on("end", () => settle(false));

      function settle(truncated: boolean): void {
        const repeats = Object.entries(answer.headersDistinct).map(([name, values = []]) => {
          return [name, values.length === 1 ? values[0]! : values] as const;
        });
        resolve({
          status: answer.statusCode!,
          ...(truncated ? { truncated } : {}),
          headers: Object.fromEntries(repeats),
          body: Buffer.concat(chunks).toString("utf8"),
        });
      }
    });
    sent.on("upgrade", ({ statusCode, headers: answered }, socket) => {
      socket.destroy();
      resolve({ status: statusCode!, headers: answered as TraceAnswer["headers"], body: "" });
    });
    sent.on("timeout", () => sent.destroy(new Error(`No answer to ${method} ${path} within ${timeoutMs} ms.`)));
    if (request.abortAfterMs !== undefined) {
      setTimeout(leave, request.abortAfterMs);
    }
    sent.on("error", reject);
    // A busy machine may take longer until the request has arrived than the recorded client stayed.
    function leave(): void {
      if (!hasArrived()) return void setTimeout(leave, 5);
      resolve(noAnswer);
      sent.destroy();
    }
    sent.end(request.chunkedBody ?? body);
  });
}
