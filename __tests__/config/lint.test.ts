import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { parseConfig } from "../../src/config/parse-config.ts";
import { route, service } from "./configurations.ts";

type Row = Readonly<{ reason: string; input: unknown; says: readonly string[] }>;

function saidOf(input: unknown, lint: boolean): string[] {
  const { warnings } = parseConfig(input, { logger: false, lint });
  return warnings.map(({ path, message, code }) => `${path}: ${message} (${code})`);
}

function up(template: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return route({ UpstreamPathTemplate: template, DownstreamPathTemplate: "/", ...more });
}

function services(...routes: readonly Record<string, unknown>[]): unknown {
  return { ...service(), Routes: routes.map((more) => ({ ...more, DownstreamHostAndPorts: undefined })) };
}

const atStart: readonly Row[] = [
  {
    reason: "a value that may hold slashes within a service name",
    input: service({ UpstreamPathTemplate: "/shop/{id}", ServiceName: "Shop/{id}" }),
    says: [
      'Routes[0].ServiceName: "{id}" is the last placeholder of "/shop/{id}", so it may bring slashes or nothing, and a service name with such a value is refused with 400: end the path with a slash, "/shop/{id}/", or with another placeholder (service-value-open)',
    ],
  },
  {
    reason: "a name that goes on where that of another service ends",
    input: services(
      up("/api/{rest}", { ServiceName: "Shop/Api", DownstreamPathTemplate: "/{rest}" }),
      up("/admin/{rest}", { ServiceName: "fabric:/Shop/Api/Admin", DownstreamPathTemplate: "/{rest}" }),
    ),
    says: [
      'Routes[0].ServiceName: ServiceName "Shop/Api" goes on in "Shop/Api/Admin" of Routes[1]: the naming service takes the longest name, so what this route sends to "/Admin" and below reaches that one; rename one of the two (service-continued)',
    ],
  },
  {
    reason: "a time-out longer than that of the naming service",
    input: service({ Timeout: 300 }),
    says: [
      'Routes[0].Timeout: Timeout 300 is longer than the naming service waits, which answers 504 itself after 120 seconds: write 120 or less, or tell it in the path: "DownstreamPathTemplate": "/…?Timeout=300" (timeout-too-long)',
    ],
  },
  {
    reason: "a time-out of all routes longer than that of the naming service",
    input: {
      ...service(),
      GlobalConfiguration: { Timeout: 121, ServiceDiscoveryProvider: { Type: "ServiceCluster" } },
    },
    says: [
      'GlobalConfiguration.Timeout: Timeout 121 is longer than the naming service waits, which answers 504 itself after 120 seconds: write 120 or less, or tell it in the path: "DownstreamPathTemplate": "/…?Timeout=121" (timeout-too-long)',
    ],
  },
  {
    reason: "the port of https without https",
    input: { Routes: [route({ DownstreamHostAndPorts: [{ Host: "a", Port: 443 }] })] },
    says: [
      'Routes[0].DownstreamHostAndPorts[0].Port: port 443 is asked by http, though it is the port of https: write "DownstreamScheme": "https" (port-without-tls)',
    ],
  },
  {
    reason: "the port of wss without wss",
    input: { Routes: [route({ DownstreamScheme: "ws", DownstreamHostAndPorts: [{ Host: "a", Port: 443 }] })] },
    says: [
      'Routes[0].DownstreamHostAndPorts[0].Port: port 443 is asked by ws, though it is the port of https: write "DownstreamScheme": "wss" (port-without-tls)',
    ],
  },
  {
    reason: "a naming service at the port of https without https",
    input: service({}, { Type: "ServiceCluster", Port: 443 }),
    says: [
      'GlobalConfiguration.ServiceDiscoveryProvider.Port: port 443 is asked by http, though it is the port of https: write "Scheme": "https" (port-without-tls)',
    ],
  },
  {
    reason: "the gateway's own address",
    input: {
      Routes: [route({ DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 5000 }] })],
      GlobalConfiguration: { BaseUrl: "http://LOCALHOST:5000/" },
    },
    says: [
      'Routes[0].DownstreamHostAndPorts[0].Port: 127.0.0.1:5000 is the gateway\'s own address, as "BaseUrl" says, so its requests would come back to it: write where the service is (own-address)',
    ],
  },
  {
    reason: "the gateway's own address by the standard port of its scheme",
    input: {
      Routes: [route({ DownstreamScheme: "https", DownstreamHostAndPorts: [{ Host: "api.example.org" }] })],
      GlobalConfiguration: { BaseUrl: "https://api.example.org/api" },
    },
    says: [
      'Routes[0].DownstreamHostAndPorts[0]: api.example.org:443 is the gateway\'s own address, as "BaseUrl" says, so its requests would come back to it: write where the service is (own-address)',
    ],
  },
];

const AuthenticationSchemes = {
  Bearer: { Type: "Jwt", Issuer: "https://login.example.org", Audience: "orders" },
};

const whenChecked: readonly Row[] = [
  {
    reason: "a path that two routes share, where the more particular one comes later",
    input: { Routes: [up("/{tenant}/orders"), up("/acme/{page}/")] },
    says: [
      'Routes[1].UpstreamPathTemplate: Routes[1] "/acme/{page}/" does not get "GET /acme/orders": Routes[0] "/{tenant}/orders" comes first, though it is less particular; put it before that one, or give it "Priority": 2 (routes-overlap)',
    ],
  },
  {
    reason: "a literal path of which an earlier placeholder takes one method",
    input: { Routes: [up("/orders/{id}", { UpstreamHttpMethod: ["GET"] }), up("/orders/new")] },
    says: [
      'Routes[1].UpstreamPathTemplate: Routes[1] "/orders/new" does not get "GET /orders/new": Routes[0] "/orders/{id}" comes first, though it is less particular; put it before that one, or give it "Priority": 2 (routes-overlap)',
    ],
  },
  {
    reason: "a way round the origins that another route allows",
    input: {
      Routes: [
        up("/chat/{room}", { DownstreamPathTemplate: "/chat/{room}", AllowedOrigins: ["https://app.example.org"] }),
        up("/all/{rest}", { DownstreamPathTemplate: "/{rest}" }),
      ],
    },
    says: [
      'Routes[1].UpstreamPathTemplate: Routes[1] "/all/{rest}" leads with "GET /all/chat/1" to what Routes[0] "/chat/{room}" guards, without its AllowedOrigins; demand the same here, or let this route reach less (lock-bypassed)',
    ],
  },
  {
    reason: "a way round the schemes of another route",
    input: {
      Routes: [
        up("/orders/{id}", {
          DownstreamPathTemplate: "/orders/{id}",
          AuthenticationOptions: { AuthenticationProviderKey: "Bearer" },
        }),
        up("/all/{rest}", { DownstreamPathTemplate: "/{rest}" }),
      ],
      GlobalConfiguration: { AuthenticationSchemes },
    },
    says: [
      'Routes[1].UpstreamPathTemplate: Routes[1] "/all/{rest}" leads with "GET /all/orders/1" to what Routes[0] "/orders/{id}" guards, without its AuthenticationOptions; demand the same here, or let this route reach less (lock-bypassed)',
    ],
  },
  {
    reason: "a way round the schemes that hold for another route by its key",
    input: {
      Routes: [
        up("/orders/{id}", { DownstreamPathTemplate: "/orders/{id}", Key: "orders" }),
        up("/all/{rest}", { DownstreamPathTemplate: "/{rest}" }),
      ],
      GlobalConfiguration: {
        AuthenticationSchemes,
        AuthenticationOptions: { AuthenticationProviderKeys: ["Bearer"], RouteKeys: ["orders"] },
      },
    },
    says: [
      'Routes[1].UpstreamPathTemplate: Routes[1] "/all/{rest}" leads with "GET /all/orders/1" to what Routes[0] "/orders/{id}" guards, without its AuthenticationOptions; demand the same here, or let this route reach less (lock-bypassed)',
    ],
  },
  {
    reason: "a way round the schemes of all routes, for a route that stands open by its own word",
    input: {
      Routes: [
        up("/orders/{id}", { DownstreamPathTemplate: "/orders/{id}" }),
        up("/all/{rest}", { DownstreamPathTemplate: "/{rest}", AuthenticationOptions: { AllowAnonymous: true } }),
      ],
      GlobalConfiguration: { AuthenticationSchemes, AuthenticationOptions: { AuthenticationProviderKey: "Bearer" } },
    },
    says: [
      'Routes[1].UpstreamPathTemplate: Routes[1] "/all/{rest}" leads with "GET /all/orders/1" to what Routes[0] "/orders/{id}" guards, without its AuthenticationOptions; demand the same here, or let this route reach less (lock-bypassed)',
    ],
  },
  {
    reason: "a service that a written route guards, and that clients may name in the path",
    input: {
      Routes: [
        {
          ...{ UpstreamPathTemplate: "/orders/{id}", DownstreamPathTemplate: "/{id}", ServiceName: "orders" },
          AuthenticationOptions: { AuthenticationProviderKey: "Bearer" },
        },
        { UpstreamPathTemplate: "/open/{id}", DownstreamPathTemplate: "/{id}", ServiceName: "open" },
      ],
      DynamicRoutes: [{ ServiceName: "public" }],
      GlobalConfiguration: {
        AuthenticationSchemes,
        ServiceDiscoveryProvider: { Type: "Consul", Host: "localhost", Port: 8500, AllowAnyService: true },
      },
    },
    says: [
      'Routes[0].ServiceName: "AllowAnyService" lets clients name the service "orders" in the path, without the AuthenticationOptions of Routes[0]: list it in "DynamicRoutes" with the same demands (lock-bypassed)',
    ],
  },
  {
    reason: "a way round the scopes of another route",
    input: {
      Routes: [
        up("/orders/{id}", {
          DownstreamPathTemplate: "/orders/{id}",
          AuthenticationOptions: { AuthenticationProviderKey: "Bearer", AllowedScopes: ["orders"] },
        }),
        up("/all/{rest}", {
          DownstreamPathTemplate: "/{rest}",
          AuthenticationOptions: { AuthenticationProviderKey: "Bearer" },
        }),
      ],
      GlobalConfiguration: { AuthenticationSchemes },
    },
    says: [
      'Routes[1].UpstreamPathTemplate: Routes[1] "/all/{rest}" leads with "GET /all/orders/1" to what Routes[0] "/orders/{id}" guards, without its AllowedScopes; demand the same here, or let this route reach less (lock-bypassed)',
    ],
  },
  {
    reason: "a way round the claims that another route asks for",
    input: {
      Routes: [
        up("/orders/{id}", { DownstreamPathTemplate: "/orders/{id}", RouteClaimsRequirement: { role: "admin" } }),
        up("/all/{rest}", { DownstreamPathTemplate: "/{rest}" }),
      ],
      GlobalConfiguration: { AuthenticationSchemes, AuthenticationOptions: { AuthenticationProviderKey: "Bearer" } },
    },
    says: [
      'Routes[1].UpstreamPathTemplate: Routes[1] "/all/{rest}" leads with "GET /all/orders/1" to what Routes[0] "/orders/{id}" guards, without its RouteClaimsRequirement; demand the same here, or let this route reach less (lock-bypassed)',
    ],
  },
  {
    reason: "a way round the addresses of another route",
    input: {
      Routes: [
        up("/orders/{id}", {
          DownstreamPathTemplate: "/orders/{id}",
          SecurityOptions: { IPAllowedList: ["10.0.0.0/8"] },
        }),
        up("/all/{rest}", { DownstreamPathTemplate: "/{rest}" }),
      ],
    },
    says: [
      'Routes[1].UpstreamPathTemplate: Routes[1] "/all/{rest}" leads with "GET /all/orders/1" to what Routes[0] "/orders/{id}" guards, without its SecurityOptions; demand the same here, or let this route reach less (lock-bypassed)',
    ],
  },
  {
    reason: "a way round the addresses that hold for another route by its key",
    input: {
      Routes: [
        up("/orders/{id}", { DownstreamPathTemplate: "/orders/{id}", Key: "orders" }),
        up("/all/{rest}", { DownstreamPathTemplate: "/{rest}" }),
      ],
      GlobalConfiguration: { SecurityOptions: { IPBlockedList: ["10.0.0.9"], RouteKeys: ["orders"] } },
    },
    says: [
      'Routes[1].UpstreamPathTemplate: Routes[1] "/all/{rest}" leads with "GET /all/orders/1" to what Routes[0] "/orders/{id}" guards, without its SecurityOptions; demand the same here, or let this route reach less (lock-bypassed)',
    ],
  },
  {
    reason: "a way round the rate limit of another route",
    input: {
      Routes: [
        up("/orders/{id}", {
          DownstreamPathTemplate: "/orders/{id}",
          RateLimitOptions: { Limit: 10, Period: "1s" },
        }),
        up("/all/{rest}", { DownstreamPathTemplate: "/{rest}" }),
      ],
    },
    says: [
      'Routes[1].UpstreamPathTemplate: Routes[1] "/all/{rest}" leads with "GET /all/orders/1" to what Routes[0] "/orders/{id}" guards, without its RateLimitOptions; demand the same here, or let this route reach less (lock-bypassed)',
    ],
  },
  {
    reason: "a way round the metadata of another route to the same service",
    input: services(
      up("/admin/{area}", {
        ServiceName: "Shop/Api",
        DownstreamPathTemplate: "/admin/{area}",
        UpstreamHttpMethod: ["POST"],
        Metadata: { team: "shop", roles: "admin" },
      }),
      up("/v1/{rest}", { ServiceName: "/Shop/Api", DownstreamPathTemplate: "/{rest}", Metadata: { team: "shop" } }),
    ),
    says: [
      'Routes[1].UpstreamPathTemplate: Routes[1] "/v1/{rest}" leads with "POST /v1/admin/1" to what Routes[0] "/admin/{area}" guards, without its Metadata "roles"; demand the same here, or let this route reach less (lock-bypassed)',
    ],
  },
  {
    reason: "a scheme whose name is mistyped",
    input: {
      Routes: [up("/orders", { AuthenticationOptions: { AuthenticationProviderKey: "Partner" } })],
      GlobalConfiguration: {
        AuthenticationSchemes: { Partners: { Type: "Jwt", Issuer: "https://login.example.org", Audience: "api" } },
      },
    },
    says: [
      `Routes[0].AuthenticationOptions.AuthenticationProviderKey: "AuthenticationOptions" of Routes[0] names "Partner": "AuthenticationSchemes" has "Partners". Did you mean "Partners"? ${linesFor("Partner")}`,
    ],
  },
  {
    reason: "a scheme for all routes that the file does not define, and one that differs only in case",
    input: {
      Routes: [
        up("/orders", { AuthenticationOptions: { AuthenticationProviderKeys: ["partners", "Bearer"] } }),
        up("/items"),
      ],
      GlobalConfiguration: {
        AuthenticationOptions: { AuthenticationProviderKey: "Bearer" },
        AuthenticationSchemes: { Partners: { Type: "Jwt", Issuer: "https://login.example.org", Audience: "api" } },
      },
    },
    says: [
      `GlobalConfiguration.AuthenticationOptions.AuthenticationProviderKey: "AuthenticationOptions" of all routes names "Bearer": "AuthenticationSchemes" has "Partners". ${linesFor("Bearer")}`,
      `Routes[0].AuthenticationOptions.AuthenticationProviderKeys[0]: "AuthenticationOptions" of Routes[0] names "partners": "AuthenticationSchemes" has "Partners". Upper and lower case count: did you mean "Partners"? ${linesFor("partners")}`,
    ],
  },
];

function linesFor(name: string): string {
  return [
    'Without it the gateway does not start: pass it in the option "authentication" of createGateway(), or write it into the configuration:',
    '"GlobalConfiguration": {',
    '  "AuthenticationSchemes": {',
    `    "${name}": { "Type": "Jwt", "Issuer": "https://…", "Audience": "…" }`,
    "  }",
    "} (scheme-missing)",
  ].join("\n");
}

const nothing: readonly Omit<Row, "says">[] = [
  {
    reason: "a service name whose value is one segment, since another placeholder follows",
    input: service({ UpstreamPathTemplate: "/{app}/{id}", ServiceName: "Shop/{app}" }),
  },
  {
    reason: "a service name whose value is one segment, since a slash follows",
    input: service({ UpstreamPathTemplate: "/shop/{id}/", ServiceName: "Shop/{id}" }),
  },
  {
    reason: "a longer service name that the paths of the shorter one cannot reach",
    input: services(
      up("/api/{rest}", { ServiceName: "Shop/Api", DownstreamPathTemplate: "/v1/{rest}" }),
      up("/admin/{rest}", { ServiceName: "Shop/Api/Admin" }),
      up("/two/{rest}/", { ServiceName: "Shop/ApiTwo" }),
    ),
  },
  { reason: "a long time-out that the naming service is told", input: longTimeout() },
  { reason: "a long time-out toward a fixed host", input: { Routes: [route({ Timeout: 600 })] } },
  {
    reason: "the port of https with https",
    input: { Routes: [route({ DownstreamScheme: "https", DownstreamHostAndPorts: [{ Host: "a", Port: 443 }] })] },
  },
  {
    reason: "the address of the gateway below another path",
    input: {
      Routes: [route({ DownstreamHostAndPorts: [{ Host: "example.org", Port: 80 }] })],
      GlobalConfiguration: { BaseUrl: "http://example.org/gw" },
    },
  },
  {
    reason: "a base URL that is none",
    input: {
      Routes: [route({ DownstreamHostAndPorts: [{ Host: "localhost" }] })],
      GlobalConfiguration: { BaseUrl: "" },
    },
  },
  { reason: "the more particular route first", input: { Routes: [up("/orders/new"), up("/orders/{id}")] } },
  {
    reason: "a shared path that a Priority decides",
    input: { Routes: [up("/acme/{page}/"), up("/{tenant}/orders", { Priority: 2 })] },
  },
  {
    reason: "a shared path of two methods",
    input: {
      Routes: [up("/{a}/orders", { UpstreamHttpMethod: ["GET"] }), up("/acme/{b}/", { UpstreamHttpMethod: ["PUT"] })],
    },
  },
  {
    reason: "a shared path of two hosts",
    input: { Routes: [up("/{tenant}/orders", { UpstreamHost: "a" }), up("/acme/{page}/", { UpstreamHost: "b" })] },
  },
  {
    reason: "an earlier route that asks for a header",
    input: { Routes: [up("/{tenant}/orders", { UpstreamHeaderTemplates: { "X-Beta": "1" } }), up("/acme/{page}/")] },
  },
  {
    reason: "a route for everything behind the one that is guarded",
    input: {
      Routes: [
        up("/chat/{room}", { DownstreamPathTemplate: "/chat/{room}", Metadata: { roles: "user" } }),
        up("/{rest}", { DownstreamPathTemplate: "/{rest}" }),
      ],
    },
  },
  {
    reason: "a route for everything to another service",
    input: {
      Routes: [
        up("/chat/{room}", { DownstreamPathTemplate: "/chat/{room}", Limits: { Sockets: 5 } }),
        up("/all/{rest}", { DownstreamPathTemplate: "/{rest}", DownstreamHostAndPorts: [{ Host: "other" }] }),
      ],
    },
  },
  {
    reason: "a route for everything that demands the same",
    input: {
      Routes: [
        up("/chat/{room}", { DownstreamPathTemplate: "/chat/{room}", Metadata: { roles: "user" } }),
        up("/all/{rest}", { DownstreamPathTemplate: "/{rest}", Metadata: { roles: "user", more: "1" } }),
      ],
    },
  },
];

function longTimeout(): unknown {
  return service({ Timeout: 300, DownstreamPathTemplate: "/api/{id}?Timeout=300" });
}

describe("A configuration starts with a warning about", () => {
  test.each(atStart)("$reason", ({ input, says }) => {
    expect(saidOf(input, false)).toEqual(says);
  });
});

describe("A check warns, and a start does not, of", () => {
  test.each(whenChecked)("$reason", ({ input, says }) => {
    expect(saidOf(input, true)).toEqual(says);
    expect(saidOf(input, false)).toEqual([]);
  });
});

describe("A check says nothing of", () => {
  test.each(nothing)("$reason", ({ input }) => {
    expect(saidOf(input, true)).toEqual([]);
  });

  test.each([
    "example-app/gateway.json",
    ...["basic", "service-fabric"].map((name) => `__tests__/fixtures/config/sample-${name}.json`),
  ])("%s", (file) => {
    expect(saidOf(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"), true)).toEqual([]);
  });
});
