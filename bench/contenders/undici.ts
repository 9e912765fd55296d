import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent, type Dispatcher } from "undici";
import { type Listening, listen, type Settings } from "../contender.ts";

/** The least that forwards: undici's parser straight into the response, no framework, no header policy. */
export function start(settings: Settings): Promise<Listening> {
  const agent = new Agent();
  const origin = `http://127.0.0.1:${settings.upstreamPort}`;
  return listen(createServer(forward), settings);

  function forward(req: IncomingMessage, res: ServerResponse): void {
    const hasBody = req.headers["content-length"] !== undefined;
    const { url, method, headers } = req as { url: string; method: string; headers: IncomingMessage["headers"] };
    agent.dispatch({ origin, path: url, method, headers, body: hasBody ? req : null }, createHandler(res));
  }
}

function createHandler(res: ServerResponse): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller) {
      res.on("drain", () => controller.resume());
    },
    onResponseStart(_controller, status, headers) {
      delete headers.connection;
      delete headers["keep-alive"];
      res.writeHead(status, headers);
    },
    onResponseData(controller, chunk) {
      if (!res.write(chunk)) controller.pause();
    },
    onResponseEnd() {
      res.end();
    },
    onResponseError() {
      res.destroy();
    },
  };
}
