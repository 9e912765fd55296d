import { type RequestListener } from "node:http";
import { afterEach } from "@jest/globals";
import { type GatewayOptions } from "../../src/index.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

export const running: (RunningGateway | Upstream)[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()));
});

export type Keys = Readonly<Record<string, unknown>>;

/** A gateway with the parts `a` and `b`, and one asked by values, in front of one upstream. */
export async function startWhole(
  { a = {}, b = {}, users = {}, aggregate = {}, global = {} }: Readonly<Record<string, Keys>>,
  { answer = answerWithUrl, ...options }: GatewayOptions & { answer?: RequestListener } = {},
) {
  const upstream = await startUpstream(answer);
  const hosts = [{ Host: "127.0.0.1", Port: upstream.port }];
  const route = (Key: string, path: string, more: Keys) => ({
    Key,
    UpstreamPathTemplate: path,
    DownstreamPathTemplate: path,
    DownstreamHostAndPorts: hosts,
    ...more,
  });
  const byValues = [{ RouteKey: "users", JsonPath: "$[*].id", Parameter: "{id}" }];
  const gateway = await startGateway(
    {
      Routes: [route("a", "/a", a), route("b", "/b", b), route("users", "/users/{id}", users)],
      Aggregates: [
        { UpstreamPathTemplate: "/both", UpstreamHttpMethod: ["GET", "POST"], RouteKeys: ["a", "b"], ...aggregate },
        { UpstreamPathTemplate: "/values", RouteKeys: ["a", "users"], RouteKeysConfig: byValues, ...aggregate },
      ],
      GlobalConfiguration: global,
    },
    options,
  );
  running.push(upstream, gateway);
  return { upstream, origin: gateway.origin, gateway };
}

export const answerWithUrl: RequestListener = (req, res) => {
  res.setHeader("content-type", "application/json");
  req.resume().on("end", () => res.end(JSON.stringify(req.url)));
};

export function answersValues(values: unknown): RequestListener {
  return (req, res) => {
    if (req.url !== "/a") answerWithUrl(req, res);
    else
      res
        .setHeader("content-type", "application/json")
        .end(typeof values === "string" ? values : JSON.stringify(values));
  };
}
