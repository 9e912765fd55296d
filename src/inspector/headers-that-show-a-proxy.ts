import type { IncomingMessage } from "node:http";

const ofProxies = new RegExp(
  [
    "forwarded|via|(?:.+-)?(?:client|real)-ip|proxy-connection|cdn-loop|front-end-https",
    "x[-_](?:http-)?forward(?:ed|er)?(?:[-_].*)?|x-original-.*|x-(?:rewrite-url|proxyuser-ip|remote-addr|host|scheme)",
    "(?:cf|fastly|fly|x-amzn|x-appengine|x-arr|x-azure|x-bluecoat|x-envoy|x-nginx|x-varnish|x-vercel)(?:-.*)?",
  ]
    .map((names) => `^(?:${names})$`)
    .join("|"),
);

/** The name of a header that a proxy has added to a request: behind one on this machine, a visitor may be anywhere. */
export function findHeaderOfProxy({ headers }: IncomingMessage): string | undefined {
  return Object.keys(headers).find((name) => ofProxies.test(name));
}
