/** What browsers and libraries send with most requests. */
export const ordinaryHeaders: readonly string[] = [
  ...["accept", "accept-encoding", "accept-language", "cache-control", "content-type", "dnt", "if-modified-since"],
  ...["if-none-match", "origin", "pragma", "priority", "referer", "upgrade-insecure-requests", "user-agent"],
  ...["sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform", "sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site"],
  ...["sec-fetch-user", "traceparent", "tracestate"],
];

const lessUsualOnes: readonly string[] = [
  ...["accept-charset", "date", "sec-fetch-storage-access", "sec-ch-ua-arch", "sec-ch-ua-bitness"],
  ...["sec-ch-ua-form-factors", "sec-ch-ua-full-version", "sec-ch-ua-full-version-list", "sec-ch-ua-model"],
  ...["sec-ch-ua-platform-version", "sec-ch-ua-wow64"],
];

// Ids by which a request is found in logs and traces: another one each time.
const ofTraces: readonly string[] = [
  ...["request-id", "x-request-id", "correlation-id", "x-correlation-id", "x-trace-id", "x-request-trace-id"],
  ...["b3", "x-b3-traceid", "x-b3-spanid", "x-b3-parentspanid", "x-b3-sampled", "x-b3-flags", "uber-trace-id"],
  ...["ot-tracer-traceid", "ot-tracer-spanid", "ot-tracer-sampled", "x-ot-span-context", "grpc-trace-bin"],
  ...["x-datadog-trace-id", "x-datadog-parent-id", "x-datadog-sampling-priority", "x-datadog-origin"],
  ...["x-datadog-tags", "elastic-apm-traceparent", "sentry-trace", "newrelic", "sw8", "x-instana-t", "x-instana-s"],
  ...["x-instana-l", "x-dynatrace", "x-amzn-trace-id", "x-cloud-trace-context", "amz-sdk-invocation-id"],
  ...["amz-sdk-request", "client-request-id", "x-ms-client-request-id", "x-ms-correlation-request-id"],
  ...["x-ms-request-id", "x-ms-request-root-id", "x-appgw-trace-id"],
];

// What proxies on the way note for themselves.
const ofProxies: readonly string[] = [
  ...["cdn-loop", "cf-ray", "x-amz-cf-id", "x-azure-ref", "x-azure-requestchain", "x-arr-log-id", "x-varnish"],
  ...["fastly-ff", "fly-request-id", "x-nf-request-id", "x-vercel-id", "x-akamai-request-id", "x-request-start"],
  ...["x-queue-start", "x-envoy-attempt-count", "x-envoy-expected-rq-timeout-ms"],
];

const harmless: ReadonlySet<string> = new Set([...ordinaryHeaders, ...lessUsualOnes, ...ofTraces, ...ofProxies]);

/**
 * Whether a header, by its name in lower case, is known to tell neither who is asking nor what for: whatever else there is
 * may do so in some service.
 */
export function isHarmless(name: string): boolean {
  return harmless.has(name);
}

const addresses: ReadonlySet<string> = new Set([
  ...["cf-connecting-ip", "cf-connecting-ipv6", "cf-pseudo-ipv4", "true-client-ip", "x-client-ip"],
  ...["x-cluster-client-ip", "fastly-client-ip", "fly-client-ip", "do-connecting-ip", "incap-client-ip"],
  ...["x-sucuri-clientip", "x-azure-clientip", "x-azure-socketip", "x-nf-client-connection-ip"],
  ...["x-vercel-forwarded-for", "x-vercel-proxied-for", "cloudfront-viewer-address", "x-envoy-external-address"],
]);

/** Whether proxies tell a client's address by a header, by its name in lower case. */
export function tellsClientAddress(name: string): boolean {
  return addresses.has(name);
}
