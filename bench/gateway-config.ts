/** A configuration as large ones look: a route for each service, and what the cases ask for. */
export function createConfig(routes: number, upstreamPort: number): object {
  const hosts = [{ Host: "127.0.0.1", Port: upstreamPort }];
  const services = Array.from({ length: routes }, (_, index) => ({
    UpstreamPathTemplate: `/service-${index}/items/{id}`,
    DownstreamPathTemplate: "/bytes/{id}",
    UpstreamHttpMethod: ["Get", "Post"],
    DownstreamHostAndPorts: hosts,
    Metadata: { roles: "reader, writer", retries: "3", enabled: "yes", disableMetadataJson: "true" },
  }));
  return {
    Routes: [
      ...services,
      {
        UpstreamPathTemplate: "/cluster/{application}/{service}/{rest}",
        DownstreamPathTemplate: "/{rest}",
        ServiceName: "{application}/{service}",
      },
    ],
    GlobalConfiguration: {
      ServiceDiscoveryProvider: { Type: "ServiceCluster", Host: "127.0.0.1", Port: upstreamPort },
    },
  };
}
