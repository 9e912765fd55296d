import { quote } from "../../json/json-node.ts";
import { locate } from "../../json/place.ts";
import type { ConfigRule } from "./rule.ts";
import { pathOf } from "../../urls/path-and-query.ts";
import { forEachTarget, standardPort } from "./target-addresses.ts";

const thisMachine: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1"]);

/** Warns of a `BaseUrl` that is no URL. */
export const warnOfBaseUrl: ConfigRule = function warnOfBaseUrl({ global, report }) {
  const url = global.config.BaseUrl;
  if (url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? "")) return;
  const expected = 'expected an absolute URL such as "https://api.example.org"';
  report("base-url-invalid", locate(global.place, ["BaseUrl"]), `${expected}, found ${quote(url)}`);
};

/** Warns where a route leads to the gateway's own address. */
export const warnOfOwnAddress: ConfigRule = function warnOfOwnAddress(rulebook) {
  const own = URL.parse(rulebook.global.config.BaseUrl ?? "");
  if (own === null || !/^https?:$/.test(own.protocol)) return;
  const ownPath = own.pathname.replace(/\/$/, "");
  const [ownHost, ownPort] = [hostKey(own.hostname), Number(own.port) || standardPort(own.protocol.slice(0, -1))];
  forEachTarget(rulebook, ({ host, port, template, place }, report) => {
    if (port !== ownPort || hostKey(host) !== ownHost || !pathOf(template).startsWith(ownPath)) return;
    const found = `${host}:${port} is the gateway's own address, as "BaseUrl" says`;
    report("own-address", place(), `${found}, so its requests would come back to it: write where the service is`);
  });
};

/** All names of this machine count as one host. */
function hostKey(host: string): string {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return thisMachine.has(name) ? "localhost" : name;
}
