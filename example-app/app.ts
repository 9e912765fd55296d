import { fileURLToPath } from "node:url";
import express, { type Express, type Request, type RequestHandler, type Response } from "express";
import {
  createGateway,
  type Gateway,
  type GatewayConfig,
  type Inspector,
  inspector,
  problemDetails,
} from "../src/index.ts";
import { openApiDocuments } from "../src/openapi.ts";
import { createCacheByRoute } from "./handlers/cache-by-route.ts";
import { createNoteSent } from "./handlers/note-sent.ts";
import { applyPlugin } from "./middleware/apply-plugin.ts";
import { requireRoles } from "./middleware/require-roles.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { createResponder } from "./responder.ts";
import { setPageHeaders } from "./start-page/page-headers.ts";
import { renderStartPage } from "./start-page/render-start-page.ts";
import type { Traces } from "./traces.ts";

/** Where in the app the gateway's routes begin. */
export const mountPath = "/gw";

/** Where in the app the inspector is. */
export const inspectorPath = "/_gateway";

const publicFolder = fileURLToPath(new URL("start-page/public", import.meta.url));

/** Where in the app the OpenAPI documents are. */
export const documentsPath = "/swagger";

/** The app, and what of it is needed outside. */
export type ExampleApp = Readonly<{ app: Express; gateway: Gateway; inspect: Inspector }>;

/** The app: a start page at `/`, the gateway under `/gw`, the inspector, the OpenAPI documents, and what is left over. Nothing listens yet. */
export function createApp(
  config: GatewayConfig,
  traces: Traces,
  fetchToken: IdentityProvider["fetchToken"],
): ExampleApp {
  const gateway: Gateway = createGateway(config, {
    middleware: [requireRoles, applyPlugin],
    handlers: [createCacheByRoute(() => gateway.routes), createNoteSent(traces)],
    responder: createResponder(),
  });
  const inspect = inspector(gateway);
  const app = express();
  app.disable("x-powered-by");
  app.get("/", setPageHeaders, (req, res) => {
    const origin = `${req.protocol}://${req.get("host") ?? "localhost"}`;
    res.type("html").send(renderStartPage({ routes: gateway.routes, mountPath, origin }));
  });
  app.get("/trace/:id", (req, res) => void res.json(traces.find(req.params.id) ?? { arrivals: [] }));
  app.get("/token/:user", setPageHeaders, createTokenSender(fetchToken));
  app.use(inspectorPath, inspect);
  app.use(documentsPath, openApiDocuments(gateway));
  app.use(mountPath, gateway);
  app.use(setPageHeaders, express.static(publicFolder));
  app.use(answerNotFound);
  app.use(problemDetails());
  return { app, gateway, inspect };
}

/** For this example only: whoever asks is given the token of a user, without a login, as a line that curl takes. */
function createTokenSender(fetchToken: IdentityProvider["fetchToken"]): RequestHandler<{ user: string }> {
  return async function sendToken(req, res, next) {
    const token = await fetchToken(req.params.user);
    if (token === undefined) next();
    else res.type("text").send(`Authorization: Bearer ${token}\n`);
  };
}

/** What neither a route nor the page is: the gateway has left the request as it was. */
function answerNotFound(req: Request, res: Response): void {
  res.status(404).json({ note: "The app answers this one: no route of the gateway matches.", path: req.originalUrl });
}
