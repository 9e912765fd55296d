import type { Settings } from "../contender.ts";

/** The path that is asked for: the upstream answers so many bytes. */
export const measuredPath = "/bytes/1024";

const locked = { AuthenticationOptions: { AuthenticationProviderKeys: ["Bearer"] } };

const everything = {
  ...locked,
  SecurityOptions: {
    IPAllowedList: ["127.0.0.0/8", ...Array.from({ length: 49 }, (_, index) => `10.${index}.0.0/16`)],
    IPBlockedList: Array.from({ length: 50 }, (_, index) => `127.1.${index}.7`),
  },
  UpstreamHeaderTransform: { "X-Client": "{RemoteIpAddress}", "User-Agent": "bench, client" },
  DownstreamHeaderTransform: { "X-Frame-Options": "DENY", "Cache-Control": "no-cache, no-store" },
  AddHeadersToRequest: { "X-User": "Claims[sub] > value" },
  AddQueriesToRequest: { tenant: "Claims[tenant] > value" },
  ChangeDownstreamPathTemplate: { size: "Claims[size] > value" },
};

const rateLimited = { RateLimitOptions: { Period: "1h", Limit: 1_000_000_000 } };

const threeHosts = {
  ...rateLimited,
  QoSOptions: { FailureRatio: 0.5, MinimumThroughput: 10, BreakDuration: 5_000, SamplingDuration: 10_000 },
  LoadBalancerOptions: { Type: "LeastConnection" },
};

/** What the measured route asks for, and a route beside it that nobody asks for. */
type Routes = Readonly<{ measured: object; beside?: object; hosts?: "all"; downstream?: string }>;

/** What gateways may be asked to do. */
export const policies: Readonly<Record<string, Routes>> = {
  nothing: { measured: {} },
  "policies of another route": { measured: {}, beside: everything },
  token: { measured: locked },
  everything: { measured: everything },
  "limit, breaker and balancer": { measured: threeHosts, hosts: "all" },
  "limit in Redis": { measured: rateLimited },
  cache: { measured: { CacheOptions: { TtlSeconds: 3_600 } }, downstream: "/kept/{size}" },
};

/** A configuration whose measured route asks for what the settings name. */
export function createPolicyConfig({ policies: name, keyFile, redis, upstreamPort, morePorts }: Settings): object {
  const { measured, beside, hosts, downstream = "/bytes/{size}" } = policies[name]!;
  const scheme = { Type: "Jwt", Issuer: "https://issuer.example", Audience: "bench", KeyFile: keyFile };
  const ports = hosts === "all" ? [upstreamPort, ...morePorts] : [upstreamPort];
  return {
    Routes: [createRoute("/bytes/{size}", measured), ...(beside === undefined ? [] : [createRoute("/{size}", beside)])],
    GlobalConfiguration: {
      ...(keyFile === "" || name === "nothing" ? {} : { AuthenticationSchemes: { Bearer: scheme } }),
      ...(redis === "" ? {} : { Redis: { Url: redis } }),
    },
  };

  function createRoute(UpstreamPathTemplate: string, asked: object): object {
    const DownstreamHostAndPorts = ports.map((Port) => ({ Host: "127.0.0.1", Port }));
    return { UpstreamPathTemplate, DownstreamPathTemplate: downstream, DownstreamHostAndPorts, ...asked };
  }
}
