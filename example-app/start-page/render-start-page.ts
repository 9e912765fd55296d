import type { Gateway, Route } from "../../src/index.ts";
import { escapeHtml } from "./escape-html.ts";
import type { Chapter, Example } from "./chapter.ts";
import { chapters } from "./examples.ts";
import { renderRequest } from "./render-request.ts";

/** What the start page is made of. */
export type StartPageParts = Readonly<{
  routes: Gateway["routes"];
  mountPath: string;
  /** The origin at which the browser sees the page. */
  origin: string;
}>;

/** The start page as HTML; what happens on a click stands in public/start-page.js. */
export function renderStartPage(parts: StartPageParts): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>waymark: try the gateway</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/start-page.css" />
    <script type="module" src="/start-page.js"></script>
  </head>
  <body>
    <a class="skip" href="#main">Skip to the routes</a>
    <header class="top">
      <p class="brand"><img src="/icon.svg" alt="" width="28" height="28" />waymark</p>
      <h1>One JSON file is the gateway.</h1>
      <p class="lead">
        The ${parts.routes.size} routes of <code>example-app/gateway.json</code> are mounted under
        <code>${parts.mountPath}</code>. Click a request and see what was sent where.
      </p>
      <nav aria-label="Chapters"><ul>${chapters.map(renderChapterLink).join("")}</ul></nav>
      <noscript><p class="note">Without JavaScript the links open the answers themselves.</p></noscript>
    </header>
    <main id="main">${chapters.map((chapter) => renderChapter(chapter, parts)).join("")}
    </main>
    <footer>
      <p>Change <code>example-app/gateway.json</code>, start again, and the change is here.</p>
    </footer>
  </body>
</html>
`;
}

function renderChapterLink({ title }: Chapter): string {
  return `<li><a href="#${slug(title)}">${escapeHtml(title)}</a></li>`;
}

function renderChapter({ title, about, examples }: Chapter, parts: StartPageParts): string {
  return `
      <section class="chapter" aria-labelledby="${slug(title)}">
        <h2 id="${slug(title)}">${escapeHtml(title)}</h2>
        <p>${escapeHtml(about)}</p>
        <div class="cards">${examples.map((example) => renderExample(example, parts)).join("")}
        </div>
      </section>`;
}

function renderExample({ route, title, about, requests }: Example, parts: StartPageParts): string {
  const known = route === undefined ? undefined : parts.routes.get(route);
  return `
          <article class="card" data-route="${escapeHtml(route ?? "")}">
            <div class="about">
              <h3>${escapeHtml(title)}</h3>
              <p>${escapeHtml(about)}</p>${known === undefined ? "" : renderRoute(known)}
            </div>
            <ul class="requests">${requests.map((request) => renderRequest(request, parts)).join("")}</ul>
            <div class="result" role="status" hidden></div>
          </article>`;
}

function renderRoute({
  id,
  upstreamPathTemplate,
  downstreamPathTemplate,
  serviceName,
  config,
  metadata,
}: Route): string {
  const hosts = (config.DownstreamHostAndPorts ?? []).map(({ Host, Port }) => `${Host}:${Port}`);
  const own = Object.entries(metadata).filter(([key]) => config.Metadata !== undefined && key in config.Metadata);
  const to =
    serviceName === undefined
      ? `${hosts.join(" or ")}${downstreamPathTemplate}`
      : `${serviceName}${downstreamPathTemplate}`;
  const rows: [string, string][] = [
    ["Route", id],
    ["From", `${(config.UpstreamHttpMethod ?? ["any method"]).join(", ")} ${upstreamPathTemplate}`],
    [serviceName === undefined ? "To host" : "To service", to],
    ...demandsOf(config).map((demand): [string, string] => ["Asks for", demand]),
    ...own.map(([key, value]): [string, string] => [key, value ?? "null"]),
  ];
  const row = ([name, value]: [string, string]) =>
    `<div><dt>${escapeHtml(name)}</dt><dd><code>${markPlaceholders(value)}</code></dd></div>`;
  return `
            <dl>${rows.map(row).join("")}</dl>`;
}

/** What a client must show for a route to let it in. */
function demandsOf({ AuthenticationOptions, RouteClaimsRequirement }: Route["config"]): string[] {
  const { AuthenticationProviderKeys = [], AllowedScopes = [] } = AuthenticationOptions ?? {};
  const claims = Object.entries(RouteClaimsRequirement ?? {});
  return [
    ...AuthenticationProviderKeys,
    ...AllowedScopes.map((scope) => `scope ${scope}`),
    ...claims.map(([claim, value]) => `${claim} ${String(value)}`),
  ];
}

function slug(title: string): string {
  return title.toLowerCase().replaceAll(" ", "-");
}

function markPlaceholders(text: string): string {
  return escapeHtml(text).replace(/\{\w+\}/g, "<mark>$&</mark>");
}
