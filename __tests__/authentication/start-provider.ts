import http from "node:http";
import { Provider } from "oidc-provider";
import { closeServer, listen } from "../helpers/start-upstream.ts";
import { createSigningKey, createTokenStorage } from "./token-storage.ts";

/** An OpenID provider that gives out opaque tokens and tells what they are worth. */
export type OpaqueProvider = Readonly<{
  issuer: string;
  introspection: string;
  /** How often it was asked about a token. */
  asked: () => number;
  /** A token of the client "shop". */
  token: () => Promise<string>;
  revoke: (token: string) => Promise<void>;
  close: () => Promise<void>;
}>;

/** The secret of the client "gateway"; its signs have a meaning in a form and in Basic. */
export const gatewaySecret = "colon:percent%plus+blank and more";
/** For whom the tokens are meant. */
export const audience = "https://orders.example.org";

/** Starts the provider on this machine. */
export async function startOpaqueProvider(): Promise<OpaqueProvider> {
  const server = http.createServer();
  const issuer = `http://127.0.0.1:${await listen(server)}`;
  const client = { grant_types: ["client_credentials"], redirect_uris: [], response_types: [] };
  const provider = new Provider(issuer, {
    adapter: createTokenStorage(),
    ...createSigningKey(),
    clients: [
      { client_id: "shop", client_secret: "shop-secret", ...client },
      { client_id: "gateway", client_secret: gatewaySecret, ...client },
    ],
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: "orders.read", audience, accessTokenFormat: "opaque" }),
      },
    },
    ttl: { ClientCredentials: 600 },
  });
  let asked = 0;
  const answer = provider.callback();
  server.on("request", (req, res) => {
    if (req.url === "/token/introspection") asked += 1;
    void answer(req, res);
  });
  return { issuer, introspection: `${issuer}/token/introspection`, asked: () => asked, token, revoke, close };

  async function post(path: string, body: Record<string, string>): Promise<Response> {
    const authorization = `Basic ${Buffer.from("shop:shop-secret").toString("base64")}`;
    return fetch(`${issuer}${path}`, { method: "POST", headers: { authorization }, body: new URLSearchParams(body) });
  }

  async function token(): Promise<string> {
    const answered = await post("/token", {
      grant_type: "client_credentials",
      scope: "orders.read",
      resource: audience,
    });
    return ((await answered.json()) as { access_token: string }).access_token;
  }

  async function revoke(revoked: string): Promise<void> {
    await (await post("/token/revocation", { token: revoked })).text();
  }

  function close(): Promise<void> {
    return closeServer(server);
  }
}
