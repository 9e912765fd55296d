import { defaultPortOf, isSecure, isWebSocketScheme } from "../../urls/schemes.ts";
import type { ConfigRule } from "./rule.ts";
import { forEachTarget } from "./target-addresses.ts";

/** Warns where the port of TLS is asked without TLS. */
export const warnOfPlainPorts: ConfigRule = function warnOfPlainPorts(rulebook) {
  forEachTarget(rulebook, ({ scheme, port, place, isService }, report) => {
    if (port !== defaultPortOf("https") || isSecure(scheme)) return;
    const key = isService ? "Scheme" : "DownstreamScheme";
    const secure = isWebSocketScheme(scheme) ? "wss" : "https";
    const message = `port ${port} is asked by ${scheme}, though it is the port of https: write "${key}": "${secure}"`;
    report("port-without-tls", place(), message);
  });
};
