import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { after, listen, listenOnce } from "../../unattended/guarded.ts";
import { closeAtOnce, listenAt, type Place } from "../listening.ts";

/** What is wrong with a registry, on purpose. */
export type RegistryFault =
  /** Every connection is dropped, as if nobody were there. */
  | Readonly<{ kind: "away" }>
  /** Every answer is this status. */
  | Readonly<{ kind: "status"; status: number }>
  /** Answers are so many seconds late. */
  | Readonly<{ kind: "slow"; seconds: number }>
  /** Answers break off in the middle. */
  | Readonly<{ kind: "cut" }>
  /** Answers are this text. */
  | Readonly<{ kind: "nonsense"; text: string }>
  /** Answers point elsewhere. */
  | Readonly<{ kind: "redirect"; to: string }>
  /** Answers have no index, as behind some proxies; Consul only. */
  | Readonly<{ kind: "no-index" }>;

/** A question that a registry received. */
export type RegistryRequest = Readonly<{ method: string; url: string; headers: IncomingMessage["headers"] }>;

/** Where a registry listens. */
export type RegistryServerOptions = Readonly<{
  /** 0, the default, takes a free one. */
  port?: number | undefined;
  /** Address to listen at, default `127.0.0.1`. */
  host?: string | undefined;
}>;

/** What all registries have. */
export type RegistrySwitches = Readonly<{
  listen: () => Promise<Place>;
  /** Makes it faulty until the fault is cleared: `fault()`. What waits for a change is dropped. */
  fault: (fault?: RegistryFault) => void;
  /** What was asked so far, oldest first; the last ten thousand. */
  requests: () => readonly RegistryRequest[];
  /** Ends every connection at once. */
  close: () => Promise<void>;
}>;

/** Gives an answer: headers and a document. */
export type Reply = (json: unknown, headers?: Readonly<Record<string, string>>, status?: number) => void;

/** One question to be answered, now or later. */
export type Asked = Readonly<{ url: URL; req: IncomingMessage; res: ServerResponse; fault: RegistryFault | undefined }>;

const mostRequests = 10_000;

/** Makes the server of a registry. */
export function createRegistryServer(
  { port = 0, host = "127.0.0.1" }: RegistryServerOptions,
  answer: (asked: Asked, reply: Reply) => void,
): RegistrySwitches {
  const requests: RegistryRequest[] = [];
  let fault: RegistryFault | undefined;
  const server = createServer();
  listen(server, "request", (req: IncomingMessage, res: ServerResponse) => {
    requests.push({ method: req.method!, url: req.url!, headers: req.headers });
    if (requests.length > mostRequests) requests.shift();
    if (fault?.kind === "away") return void req.socket.destroy();
    answer({ url: new URL(req.url!, "http://registry"), req, res, fault }, createReply(res, fault));
  });
  return {
    requests: () => [...requests],
    fault(next) {
      fault = next;
      server.closeAllConnections();
    },
    listen: () => listenAt(server, { host, port }),
    close: () => closeAtOnce(server),
  };
}

function createReply(res: ServerResponse, fault: RegistryFault | undefined): Reply {
  return function reply(json, headers = {}, status = 200) {
    if (fault?.kind === "slow") {
      const timer = after(fault.seconds * 1_000, () => send(res, JSON.stringify(json), { headers, status }));
      listenOnce(res, "close", () => clearTimeout(timer));
    } else if (fault?.kind === "cut") cutShort(res, JSON.stringify(json), headers);
    else
      send(
        res,
        fault?.kind === "nonsense" ? fault.text : JSON.stringify(json),
        faultyHead(fault) ?? { headers, status },
      );
  };
}

type Head = Readonly<{ status: number; headers: Readonly<Record<string, string>> }>;

function faultyHead(fault: RegistryFault | undefined): Head | undefined {
  if (fault?.kind === "status") return { status: fault.status, headers: {} };
  return fault?.kind === "redirect" ? { status: 302, headers: { location: fault.to } } : undefined;
}

function send(res: ServerResponse, text: string, { status, headers }: Head): void {
  res.writeHead(status, { "content-type": "application/json", ...headers });
  res.end(text);
}

function cutShort(res: ServerResponse, text: string, headers: Head["headers"]): void {
  const length = Buffer.byteLength(text);
  res.writeHead(200, { "content-type": "application/json", ...headers, "content-length": length + 1 });
  res.write(text.slice(0, Math.ceil(text.length / 2)), () => res.destroy());
}
