import { requirementOf } from "../../identity/required-schemes.ts";
import { hasWebSockets } from "../../capabilities/websockets/has-websockets.ts";
import { quote } from "../../json/json-node.ts";
import { pathOf } from "../../urls/path-and-query.ts";
import { locate } from "../../json/place.ts";
import type { ConfigRule } from "./rule.ts";

// Whole segments, and what SignalR calls its hubs; "github" is none.
const socketSegment = /(?<![^/])(?:hubs?|wss?|web-?sockets?|socket\.io|sockjs|signalr|[^/]*(?<!git)hub)(?![^/])/i;

/** Warns of a route that looks as if WebSockets went through it: Ocelot lets them pass on every route. */
export const warnOfClosedWebSockets: ConfigRule = function* warnOfClosedWebSockets({ routes, report }) {
  for (const { config, place } of routes) {
    yield;
    const { AllowUpgrade, DownstreamScheme: scheme = "http", UpstreamHttpMethod: methods } = config;
    if (AllowUpgrade !== undefined || !scheme.startsWith("http") || methods?.includes("GET") === false) continue;
    const segment = socketIn(config.UpstreamPathTemplate) ?? socketIn(config.DownstreamPathTemplate);
    if (segment === undefined) continue;
    const found = `${quote(segment)} looks like WebSockets, which pass only where a route says so`;
    const remedy = 'write "AllowUpgrade": true to let them pass, or false if there are none';
    const message = `${found}, though Ocelot passes them on every route: ${remedy}`;
    report("websockets-closed", locate(place, ["UpstreamPathTemplate"]), message);
  }
};

/** Browsers send cookies along whatever page opens a WebSocket: where one tells who is asking, not any page may. */
export const checkCookieOrigins: ConfigRule = function* checkCookieOrigins({ routesAskingFor, global, report }) {
  for (const { config, place } of routesAskingFor("AllowedOrigins")) {
    yield;
    const owner = config.AllowedOrigins === undefined ? global : { config, place };
    const index = owner.config.AllowedOrigins?.findIndex((origin) => origin.trim() === "*") ?? -1;
    if (index === -1 || !hasWebSockets(config)) continue;
    const schemes = requirementOf(config, global.config)?.schemes ?? [];
    const byCookie = schemes.find((name) => readsCookie(global.config.AuthenticationSchemes?.[name]));
    if (byCookie === undefined) continue;
    const found = `any page could open a WebSocket as somebody whom scheme ${quote(byCookie)} knows by a cookie`;
    report("origin-any", locate(owner.place, ["AllowedOrigins", index]), `${found}: name the pages that may`);
  }
};

function readsCookie(scheme: Readonly<{ From?: readonly string[] | undefined }> | undefined): boolean {
  return scheme?.From?.some((word) => /^\s*cookie\s*:/i.test(word)) === true;
}

function socketIn(template = ""): string | undefined {
  return socketSegment.exec(pathOf(template))?.[0];
}

/** Warns of an allowed origin that no browser sends. */
export const warnOfOrigins: ConfigRule = function* warnOfOrigins({ routesAskingFor, global, report }) {
  for (const { place, config } of [global, ...routesAskingFor("AllowedOrigins")]) {
    yield;
    config.AllowedOrigins?.forEach((origin, index) => {
      if (
        origin.trim() === "*" ||
        origin === "null" ||
        originOf(origin) === origin.trim().toLowerCase().replace(/\/$/, "")
      )
        return;
      const expected = 'expected scheme, host and port only, such as "https://app.example.org"';
      report("origin-invalid", locate(place, ["AllowedOrigins", index]), `${expected}, found ${quote(origin)}`);
    });
  }
};

function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  return url === null || url.origin === "null" ? undefined : url.origin;
}
