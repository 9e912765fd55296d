import http from "node:http";
import { exportJWK, type JWK } from "jose";
import { Provider } from "oidc-provider";
import { closeServer, listen } from "../helpers/start-upstream.ts";
import type { IssuerKey } from "./start-issuer.ts";
import { createTokenStorage } from "./token-storage.ts";

/** An OpenID provider that gives out signed tokens, and changes its keys when it is told to. */
export type RotatingProvider = Readonly<{
  issuer: string;
  /** How often its keys were fetched. */
  fetched: () => number;
  /** A token for "api", signed with an algorithm. */
  token: (algorithm: string) => Promise<string>;
  /** Shows other keys from now on, and signs with the first that fits. */
  rotate: (...keys: IssuerKey[]) => Promise<void>;
  close: () => Promise<void>;
}>;

/** Starts the provider on this machine. */
export async function startRotatingProvider(...keys: IssuerKey[]): Promise<RotatingProvider> {
  const server = http.createServer();
  const issuer = `http://127.0.0.1:${await listen(server)}`;
  let answer = createAnswer(issuer, await Promise.all(keys.map(privateJwk)));
  let fetched = 0;
  server.on("request", (req, res) => {
    if (req.url === "/jwks") fetched += 1;
    void answer(req, res);
  });
  return { issuer, fetched: () => fetched, token, rotate, close: () => closeServer(server) };

  async function token(algorithm: string): Promise<string> {
    const answered = await fetch(`${issuer}/token`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from("shop:shop-secret").toString("base64")}` },
      body: new URLSearchParams({ grant_type: "client_credentials", resource: `urn:api:${algorithm}`, scope: "read" }),
    });
    return ((await answered.json()) as { access_token: string }).access_token;
  }

  async function rotate(...others: IssuerKey[]): Promise<void> {
    answer = createAnswer(issuer, await Promise.all(others.map(privateJwk)));
  }
}

async function privateJwk({ kid, alg, privateKey }: IssuerKey): Promise<JWK> {
  return { ...(await exportJWK(privateKey)), kid, alg, use: "sig" };
}

function createAnswer(issuer: string, keys: JWK[]): ReturnType<Provider["callback"]> {
  const provider = new Provider(issuer, {
    adapter: createTokenStorage(),
    jwks: { keys },
    clients: [
      {
        client_id: "shop",
        client_secret: "shop-secret",
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: keys[0]!.alg as never,
      },
    ],
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({
          scope: "read",
          audience: "api",
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: resource.split(":")[2]! as never } },
        }),
      },
    },
    ttl: { ClientCredentials: 600 },
  });
  return provider.callback();
}
