import { curlLine } from "./curl-line.ts";
import { escapeHtml } from "./escape-html.ts";
import type { ExampleRequest } from "./chapter.ts";

/** Where the gateway is, as the browser sees it. */
export type GatewayPlace = Readonly<{ origin: string; mountPath: string }>;

/** A request as an item of a list: a link where a browser can follow it, else a button. */
export function renderRequest(request: ExampleRequest, place: GatewayPlace): string {
  const { method = "GET", headers, host, path, shows, as } = request;
  const url = urlOf(request, place);
  const label = `<b>${isWebSocket(request) ? "WebSocket" : method}</b> <span>${escapeHtml(host === undefined ? path : url)}</span>${as === undefined ? "" : ` <i>as ${escapeHtml(as)}</i>`}`;
  const isLink = method === "GET" && headers === undefined && as === undefined && !isWebSocket(request);
  return `<li>${isLink ? renderLink(request, place, label) : renderButton(request, place, label)}<small>${escapeHtml(shows)}</small></li>`;
}

function renderLink(request: ExampleRequest, place: GatewayPlace, label: string): string {
  const attributes = { href: urlOf(request, place), "data-curl": curlOf(request, place) };
  return `<a class="ask"${format(attributes)}${request.host === undefined ? "" : " data-elsewhere"}>${label}</a>`;
}

function renderButton(request: ExampleRequest, place: GatewayPlace, label: string): string {
  const { method, headers = {}, body, as, says, listens } = request;
  const attributes = {
    type: "button",
    "data-url": urlOf(request, place),
    "data-method": method,
    "data-headers": JSON.stringify(headers),
    "data-body": body,
    "data-as": as,
    "data-says": says,
    "data-listens": listens === true ? "" : undefined,
    "data-curl": isWebSocket(request) ? undefined : curlOf(request, place),
  };
  return `<button class="ask"${format(attributes)}>${label}</button>`;
}

function isWebSocket({ says, listens }: ExampleRequest): boolean {
  return says !== undefined || listens === true;
}

function urlOf({ host, path }: ExampleRequest, { origin, mountPath }: GatewayPlace): string {
  if (host === undefined) return `${mountPath}${path}`;
  const elsewhere = new URL(origin);
  elsewhere.hostname = host;
  return `${elsewhere.origin}${mountPath}${path}`;
}

function curlOf(request: ExampleRequest, { origin, mountPath }: GatewayPlace): string {
  return curlLine(request, `${origin}${mountPath}`);
}

function format(attributes: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => ` ${name}="${escapeHtml(value!)}"`).join("");
}
