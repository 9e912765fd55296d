import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { Adapter } from "oidc-provider";
import { listen, type Listening } from "./listen.ts";
import { users } from "./users.ts";

/** An OpenID provider that runs, and a user's token from it; undefined for whom it does not know. */
export type IdentityProvider = Listening & Readonly<{ fetchToken: (user: string) => Promise<string | undefined> }>;

/** "Audience" in gateway.json: for whom the tokens are meant. */
const audience = "https://shop.example";

const tokenSeconds = 600;

type Answer = (...asked: Parameters<RequestListener>) => Promise<void>;

/** "Issuer" in gateway.json: what the provider at a port calls itself. */
export function issuerAt(port: number): string {
  return `http://localhost:${port}`;
}

/** Starts the provider on this machine. To it, each user is a client that asks for a token with a secret. */
export async function startIdentityProvider(port: number): Promise<IdentityProvider> {
  const secrets = new Map([...users.keys()].map((user) => [user, randomUUID()]));
  let answer: Promise<Answer> | undefined;
  const server = createServer((req, res) => {
    // Loading the provider takes longer than all else that starts: it waits until somebody asks.
    answer ??= createAnswer(issuer, secrets);
    answer.then((send) => send(req, res)).catch(() => res.destroy());
  });
  const listening = await listen(server, port);
  const issuer = issuerAt(listening.port);
  return { ...listening, fetchToken };

  async function fetchToken(user: string): Promise<string | undefined> {
    const known = users.get(user);
    if (known === undefined) return undefined;
    const authorization = `Basic ${Buffer.from(`${user}:${secrets.get(user)}`).toString("base64")}`;
    const body = new URLSearchParams({ grant_type: "client_credentials", resource: audience, scope: known.scope });
    const answered = await fetch(`${issuer}/token`, { method: "POST", headers: { authorization }, body });
    if (!answered.ok) throw new Error(`The OpenID provider gave ${user} no token, but answered ${answered.status}.`);
    return ((await answered.json()) as { access_token: string }).access_token;
  }
}

async function createAnswer(issuer: string, secrets: ReadonlyMap<string, string>): Promise<Answer> {
  const { Provider } = await import("oidc-provider");
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const provider = new Provider(issuer, {
    adapter: () => keepsNothing,
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "ES256" }] },
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    clients: [...secrets].map(([user, secret]) => ({
      client_id: user,
      client_secret: secret,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
    })),
    extraTokenClaims: (_context, token) => ({ role: users.get(token.clientId ?? "")?.role }),
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: ({ oidc }) => ({
          scope: users.get(oidc.client?.clientId ?? "")?.scope ?? "",
          audience,
          accessTokenFormat: "jwt",
        }),
      },
    },
    ttl: { ClientCredentials: tokenSeconds },
  });
  return provider.callback();
}

const nothing = (): Promise<undefined> => Promise.resolve(undefined);

/** Signed tokens and clients that stand in the code need no storage. */
const keepsNothing: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};
