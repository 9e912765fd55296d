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

/** What the measured route asks for, and a route beside it that nobody asks for. */
type Routes = Readonly<{ measured: object; beside?: object }>;

/** What gateways may be asked to do. */
export const policies: Readonly<Record<string, Routes>> = {
  nothing: { measured: {} },
  "policies of another route": { measured: {}, beside: everything },
  token: { measured: locked },
  everything: { measured: everything },
};

/** A configuration whose measured route asks for what the settings name. */
export function createPolicyConfig({ policies: name, keyFile, upstreamPort }: Settings): object {
  const { measured, beside } = policies[name]!;
  const scheme = { Type: "Jwt", Issuer: "https://issuer.example", Audience: "bench", KeyFile: keyFile };
  return {
    Routes: [createRoute("/bytes/{size}", measured), ...(beside === undefined ? [] : [createRoute("/{size}", beside)])],
    GlobalConfiguration: name === "nothing" ? {} : { AuthenticationSchemes: { Bearer: scheme } },
  };

  function createRoute(UpstreamPathTemplate: string, asked: object): object {
    const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: upstreamPort }];
    return { UpstreamPathTemplate, DownstreamPathTemplate: "/bytes/{size}", DownstreamHostAndPorts, ...asked };
  }
}
