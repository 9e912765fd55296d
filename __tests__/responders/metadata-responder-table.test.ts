import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { metadataResponder } from "../../src/index.ts";
import { takingTurns } from "../fuzz/bounds.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { answerOnDemand, describedBytes, encoded, original } from "./answer-on-demand.ts";
import { closeTransports, type SeenAnswer, transports } from "./transports.ts";

const types = [
  "application/json",
  "Application/JSON; charset=UTF-8; profile=x",
  "application/vnd.api+json",
  "text/html",
  "text/event-stream",
  "",
];
const methodsByStatus = {
  200: ["GET", "HEAD", "POST"],
  404: ["GET", "HEAD"],
  204: ["GET"],
  206: ["GET", "HEAD"],
  304: ["GET", "HEAD"],
};
const framings = ["length", "chunked"];

/** Metadata of the routes by their path, with its JSON as a client sees it. */
const routes = {
  none: { metadata: {}, json: "{}" },
  some: { metadata: { "a/b": 'x"y', ü: "€\u007f", "": "" }, json: '{"a/b":"x\\"y","\\u00fc":"\\u20ac\\u007f","":""}' },
  disabled: { metadata: { disableMetadataJson: " 1 " }, json: '{"disableMetadataJson":" 1 "}' },
} as const;

type Row = Readonly<{
  type: string;
  coding: string;
  status: number;
  method: string;
  route: keyof typeof routes;
  engine: string;
  transport: string;
  framing: string;
}>;

/** How an answer gets to a client, besides what it is. */
const ways = engines.flatMap(({ name: engine }) =>
  Object.keys(transports).flatMap((transport) => framings.map((framing) => ({ engine, transport, framing }))),
);

/** Every combination; the ways take turns. */
function* rowsOf(type: string, coding: string): Generator<Row> {
  let turn = 0;
  for (const [status, methods] of Object.entries(methodsByStatus)) {
    for (const method of methods) {
      for (const route of Object.keys(routes) as (keyof typeof routes)[]) {
        // Moved on by one after each round, every method and route meets every way.
        const way = ways[(turn + Math.floor(turn / ways.length)) % ways.length]!;
        yield { type, coding, status: Number(status), method, route, ...way };
        turn += 1;
      }
    }
  }
}

/** The contract in one place: what a client must see. */
function expectAnswer({ type, coding, status, method, route, framing }: Row): SeenAnswer {
  const isJson = type.toLowerCase().startsWith("application/json");
  const isDisabled = route === "disabled";
  const isWholeBody = method !== "HEAD" && ![204, 206, 304].includes(status);
  const isUndone = ["br", "gzip", "X-GZip", "zstd"].includes(coding);
  const isPlain = coding === "" || coding === "identity";
  const decompresses = isWholeBody && isUndone && type !== "text/event-stream" && !(isJson && isDisabled);
  const wraps = isWholeBody && isJson && !isDisabled && (isUndone || isPlain);
  const isChanged = decompresses || wraps;

  const sent = encoded.get(coding)!;
  const hasBody = method !== "HEAD" && status !== 204 && status !== 304;
  const unwrapped = decompresses ? original : sent;
  const body = wraps ? `{"Response": ${original}, "Metadata": ${routes[route].json}}` : unwrapped;
  return {
    status,
    headers: {
      ...(type === "" ? {} : { "content-type": type }),
      ...(isChanged ? { etag: 'W/"v1"' } : describedBytes),
      ...(decompresses ? { "content-encoding": "identity" } : {}),
      ...(isChanged || coding === "" ? {} : { "content-encoding": coding }),
      ...(isChanged || framing === "chunked" || status === 204 ? {} : { "content-length": String(sent.length) }),
      "gw-route-metadata": routes[route].json,
      "x-other": "kept",
    },
    body: hasBody ? Buffer.from(body) : Buffer.alloc(0),
  };
}

const connectionHeaders = ["connection", "date", "keep-alive", "transfer-encoding", "x-powered-by"];

function withoutConnectionHeaders(headers: SeenAnswer["headers"]): SeenAnswer["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !connectionHeaders.includes(name)));
}

describe("metadataResponder over content type, coding, status, method, metadata, connection and framing", () => {
  let upstream: Upstream;
  const running = new Map<string, RunningGateway>();

  beforeAll(async () => {
    upstream = await startUpstream(answerOnDemand);
    const hosts = [{ Host: "127.0.0.1", Port: upstream.port }];
    const config = {
      Routes: Object.entries(routes).map(([name, { metadata }]) => ({
        UpstreamPathTemplate: `/${name}`,
        DownstreamPathTemplate: "/",
        DownstreamHostAndPorts: hosts,
        Metadata: metadata,
      })),
    };
    for (const { name, create } of engines) {
      running.set(name, await startGateway(config, { responder: metadataResponder(), engine: create() }));
    }
  });

  afterAll(async () => {
    closeTransports();
    for (const gateway of running.values()) await gateway.close();
    await upstream.close();
  });

  const groups = types.flatMap((type, at) => [...encoded.keys()].map((coding, place) => ({ type, coding, at, place })));

  test.each(groups)("$type coded as $coding", async ({ type, coding, at, place }) => {
    const all = [...rowsOf(type, coding)];
    expect(all).toHaveLength(30);
    // In the short form one half of them, the other one beside another type and another coding.
    const rows = takingTurns(all, 2, at + place);
    const seen = await Promise.all(rows.map((row) => askFor(row)));
    for (const [index, row] of rows.entries()) {
      expect({ row, ...seen[index] }).toEqual({ row, ...expectAnswer(row) });
    }
  });

  async function askFor({ type, coding, status, method, route, engine, transport, framing }: Row): Promise<SeenAnswer> {
    const query = new URLSearchParams({ type, coding, status: String(status), framing });
    const { headers, ...rest } = await transports[transport]!(
      running.get(engine)!.port,
      method,
      `/${route}?${query.toString()}`,
    );
    return { ...rest, headers: withoutConnectionHeaders(headers) };
  }
});
