import { describe, expect, test } from "@jest/globals";
import { one, refusalOf, service } from "../configurations.ts";

const rows: readonly Readonly<{ reason: string; input: unknown; says: readonly string[] }>[] = [
  {
    reason: "neither hosts nor a service",
    input: one({ DownstreamHostAndPorts: [] }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0] (target-missing)",
      "  the route goes nowhere: expected DownstreamHostAndPorts or a ServiceName; if it stands in another file, such as ocelot.Production.json, merge the two first",
    ],
  },
  {
    reason: "a service name that is only its prefix",
    input: service({ ServiceName: "fabric:/" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].ServiceName (target-missing)",
      '  expected the name of an application and a service, found "fabric:/"',
    ],
  },
  {
    reason: "a service without a provider",
    input: {
      Routes: [{ UpstreamPathTemplate: "/orders", DownstreamPathTemplate: "/api", ServiceName: "Shop/Orders" }],
    },
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].ServiceName (provider-missing)",
      '  a ServiceName needs a provider that finds services, and there is none: write the hosts of each service into "DownstreamHostAndPorts", and remove "ServiceName", or add "ServiceDiscoveryProvider": { "Type": … } to "GlobalConfiguration", with one of ServiceCluster, Consul, PollConsul, Kube, PollKube, WatchKube, Eureka, Dns',
    ],
  },
  {
    reason: "a provider that is none of those that have names",
    input: {
      Routes: [{ UpstreamPathTemplate: "/a", DownstreamPathTemplate: "/a", ServiceName: "a", ServiceProvider: "Main" }],
      GlobalConfiguration: { Providers: { main: { Type: "Dns" } } },
    },
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].ServiceProvider (provider-missing)",
      '  "Main" is no provider of "Providers", which has "main": add it, or correct the name',
    ],
  },
  {
    reason: "a service of a registry whose name could be read as a path",
    input: service({ ServiceName: "Shop/Orders" }, { Type: "Consul" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].ServiceName (service-name-invalid)",
      '  expected a name of letters, digits, "-", "_" and single dots, up to 253 characters, found "Shop/Orders"',
    ],
  },
  {
    reason: "a service of a registry that clients could choose",
    input: service(
      { UpstreamPathTemplate: "/{name}/", DownstreamPathTemplate: "/", ServiceName: "{name}" },
      { Type: "Eureka" },
    ),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].ServiceName (service-name-open)",
      '  with values of clients in "{name}" they could reach any service of the registry: write a route for each service, or list the services in "DynamicRoutes"',
    ],
  },
  {
    reason: "a namespace that could be read as a path",
    input: service({ ServiceName: "orders" }, { Type: "Kube", Namespace: "../kube-system" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.ServiceDiscoveryProvider.Namespace (service-name-invalid)",
      '  expected a namespace of Kubernetes, which has small letters, digits and "-", up to 63 characters, found "../kube-system"',
    ],
  },
  {
    reason: "a namespace with blanks around it",
    input: service({ ServiceName: "orders" }, { Type: "PollKube", Namespace: " prod " }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.ServiceDiscoveryProvider.Namespace (service-name-invalid)",
      '  expected a namespace of Kubernetes, which has small letters, digits and "-", up to 63 characters, found " prod "',
    ],
  },
  {
    reason: "an address that is none, where services may stand",
    input: service({ ServiceName: "orders" }, { Type: "Consul", AllowAddresses: ["127.0.0.1", "localhost"] }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.ServiceDiscoveryProvider.AllowAddresses[1] (address-invalid)",
      '  expected an address, a network such as 169.254.10.0/24, or a range, found "localhost"',
    ],
  },
  {
    reason: "a configuration that Consul keeps",
    input: service({ ServiceName: "orders" }, { Type: "Consul", ConfigurationKey: "Shop" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.ServiceDiscoveryProvider.ConfigurationKey (configuration-elsewhere)",
      "  a configuration in Consul's key store is not read, so its routes and locks would be missing: write it into the file, and remove this key",
    ],
  },
  {
    reason: "a provider that is a text",
    input: service({}, "ServiceFabric"),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.ServiceDiscoveryProvider (wrong-type)",
      '  expected an object, found "ServiceFabric"',
    ],
  },
  {
    reason: "a provider at an impossible port",
    input: service({}, { Type: "ServiceFabric", Port: 70000 }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.ServiceDiscoveryProvider.Port (port-invalid)",
      "  expected a port from 1 to 65535, found 70000",
    ],
  },
  {
    reason: "a provider with a URL as host",
    input: service({}, { Type: "ServiceFabric", Host: "http://localhost" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.ServiceDiscoveryProvider.Host (host-invalid)",
      '  expected a host name or address without scheme, port and path, found "http://localhost"',
    ],
  },
  {
    reason: "a parameter that the naming service does not know",
    input: service({ ClientParameters: ["PartitionKind", "PartitonKey"] }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].ClientParameters[1] (client-parameter-unknown)",
      '  expected one of PartitionKind, PartitionKey, ListenerName, TargetReplicaSelector, Timeout, found "PartitonKey" – did you mean "PartitionKey"?',
    ],
  },
  {
    reason: "a host entry without a host",
    input: one({ DownstreamHostAndPorts: [{ Port: 80 }] }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamHostAndPorts[0] (host-missing)",
      '  the entry has no host: expected "Host": "example.org"; if it stands in another file, such as ocelot.Production.json, merge the two first',
    ],
  },
  {
    reason: "a host entry that is a text",
    input: one({ DownstreamHostAndPorts: ["orders.local:80"] }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamHostAndPorts[0] (wrong-type)",
      '  expected an object, found "orders.local:80"',
    ],
  },
  {
    reason: "a host with a scheme",
    input: one({ DownstreamHostAndPorts: [{ Host: "https://orders.local" }] }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamHostAndPorts[0].Host (host-invalid)",
      '  expected a host name or address without scheme, port and path, found "https://orders.local"',
    ],
  },
  ...["{ORDERS}", "{{ORDERS}}", "#{ORDERS}#", "${ORDERS}"].map((Host) => ({
    reason: `a host that something else was to fill in, ${Host}`,
    input: one({ DownstreamHostAndPorts: [{ Host }] }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamHostAndPorts[0].Host (host-invalid)",
      `  expected a host name or address without scheme, port and path, found "${Host}"; to have an environment variable put there, write "\${ORDERS}" and load with --env, in code with the option "environment"`,
    ],
  })),
  ...["2001:db8::1%eth0", "2001:db8::1%25eth0", "999.1.1.1", "orders.1", "a%zz", "a|b"].map((Host) => ({
    reason: `a host that is none of a URL, ${Host}`,
    input: one({ DownstreamHostAndPorts: [{ Host }] }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamHostAndPorts[0].Host (host-invalid)",
      `  expected a host name or address without scheme, port and path, found "${Host}"`,
    ],
  })),
  {
    reason: "a host with its port",
    input: one({ DownstreamHostAndPorts: [{ Host: "orders.local:80" }] }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamHostAndPorts[0].Host (host-invalid)",
      '  expected a host name or address without scheme, port and path, found "orders.local:80"',
    ],
  },
  {
    reason: "a port above all ports",
    input: one({ DownstreamHostAndPorts: [{ Host: "orders.local", Port: 65536 }] }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamHostAndPorts[0].Port (port-invalid)",
      "  expected a port from 1 to 65535, found 65536",
    ],
  },
  {
    reason: "a negative port",
    input: one({ DownstreamHostAndPorts: [{ Host: "orders.local", Port: -1 }] }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamHostAndPorts[0].Port (port-invalid)",
      "  expected a port from 1 to 65535, found -1",
    ],
  },
  {
    reason: "a port with a fraction",
    input: one({ DownstreamHostAndPorts: [{ Host: "orders.local", Port: 80.5 }] }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamHostAndPorts[0].Port (port-invalid)",
      "  expected a port from 1 to 65535, found 80.5",
    ],
  },
  {
    reason: "a port as a word",
    input: one({ DownstreamHostAndPorts: [{ Host: "orders.local", Port: "http" }] }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamHostAndPorts[0].Port (port-invalid)",
      '  expected a port from 1 to 65535, found "http"',
    ],
  },
  {
    reason: "an unknown scheme",
    input: one({ DownstreamScheme: "ftp" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamScheme (scheme-unknown)",
      '  expected one of http, https, ws, wss, found "ftp"',
    ],
  },
  {
    reason: "methods that are an object",
    input: one({ UpstreamHttpMethod: { Get: true } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].UpstreamHttpMethod (wrong-type)",
      '  expected a list of methods, such as ["GET"], found an object',
    ],
  },
  {
    reason: "an unknown method downstream",
    input: one({ DownstreamHttpMethod: "FETCH" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamHttpMethod (method-unknown)",
      '  expected a method of HTTP, such as GET, found "FETCH"',
    ],
  },
  {
    reason: "a method downstream whose answers are none to what the route takes",
    input: one({ UpstreamHttpMethod: ["Get", "Head"], DownstreamHttpMethod: "Head" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamHttpMethod (method-unfit)",
      '  "HEAD" gets an answer without a body, which is none to a request of another method: leave the key out, or take nothing else: "UpstreamHttpMethod": ["HEAD"]',
    ],
  },
  {
    reason: "a method downstream that only opens tunnels",
    input: one({ DownstreamHttpMethod: "CONNECT" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamHttpMethod (method-unfit)",
      '  "CONNECT" asks for a tunnel, and gets no answer that could be passed on: leave the key out, or take nothing else: "UpstreamHttpMethod": ["CONNECT"]',
    ],
  },
  {
    reason: "a version of HTTP that is not spoken, and nothing lower",
    input: one({ DownstreamHttpVersion: "2.0", DownstreamHttpVersionPolicy: "RequestVersionExact" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamHttpVersionPolicy (http-version-missing)",
      '  HTTP/1.1 is spoken downstream, and "RequestVersionExact" wants HTTP/2.0 at least: leave both keys out, or write "DownstreamHttpVersionPolicy": "RequestVersionOrLower"',
    ],
  },
  {
    reason: "a version of HTTP that nobody speaks",
    input: one({ DownstreamHttpVersion: "9.9" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DownstreamHttpVersion (http-version-unknown)",
      '  expected one of 1.0, 1.1, 2.0, 3.0, found "9.9"',
    ],
  },
  {
    reason: "a mistyped load balancer in the old spelling",
    input: one({ LoadBalancer: "RoundRobbin" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].LoadBalancer.Type (load-balancer-unknown)",
      '  expected one of NoLoadBalancer, RoundRobin, LeastConnection, CookieStickySessions, or a name of the option "balancers", found "RoundRobbin" – did you mean "RoundRobin"?',
    ],
  },
  {
    reason: "a certificate without its key",
    input: one({ Tls: { Cert: "client.pem" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].Tls (tls-incomplete)",
      '  "Cert" needs "Key": a client certificate is both',
    ],
  },
];

describe("A configuration is refused for where its requests would go", () => {
  test.each(rows)("$reason", ({ input, says }) => {
    expect(refusalOf(input).message.split("\n")).toEqual(says);
  });
});
