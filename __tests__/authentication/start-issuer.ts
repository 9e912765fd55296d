import { once } from "node:events";
import http from "node:http";
import https, { type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

/** A key of an issuer: its id, its algorithm, and what signs with it. */
export type IssuerKey = Readonly<{ kid: string; alg: string; privateKey: CryptoKey; publicKey: CryptoKey }>;

/** Claims that are put over the usual ones; undefined ones are left out. */
export type Claims = { readonly [Name in keyof JWTPayload]: JWTPayload[Name] | undefined };

/** An issuer of tokens that runs on this machine. */
export type Issuer = Readonly<{
  url: string;
  /** The keys that it shows. */
  keys: IssuerKey[];
  /** The paths that it was asked for. */
  asked: string[];
  /** Answers everything from now on, where it is set. */
  behaviour: { answer: http.RequestListener | undefined };
  sign: (claims: Claims, key?: IssuerKey, header?: object) => Promise<string>;
  close: () => Promise<void>;
}>;

/** Makes a key for an algorithm. */
export async function createIssuerKey(kid: string, alg: string): Promise<IssuerKey> {
  return { kid, alg, ...(await generateKeyPair(alg, { extractable: true })) };
}

/** Starts an issuer with a discovery document and a set of keys. */
export function startIssuer(...keys: IssuerKey[]): Promise<Issuer> {
  return startIssuerBy(undefined, keys);
}

/** Starts the same behind TLS. */
export function startIssuerBehindTls(tls: ServerOptions, ...keys: IssuerKey[]): Promise<Issuer> {
  return startIssuerBy(tls, keys);
}

async function startIssuerBy(tls: ServerOptions | undefined, keys: IssuerKey[]): Promise<Issuer> {
  const asked: string[] = [];
  const behaviour: Issuer["behaviour"] = { answer: undefined };
  const listener: http.RequestListener = (req, res) => {
    asked.push(req.url!);
    if (behaviour.answer !== undefined) behaviour.answer(req, res);
    else void answer(req.url!).then((document) => res.end(JSON.stringify(document)));
  };
  const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `${tls === undefined ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, keys, asked, behaviour, sign, close };

  async function answer(path: string): Promise<object> {
    if (path !== "/jwks") return { issuer: url, jwks_uri: `${url}/jwks` };
    const shown = keys.map(async ({ kid, alg, publicKey }) => ({
      ...(await exportJWK(publicKey)),
      kid,
      alg,
      use: "sig",
    }));
    return { keys: await Promise.all(shown) };
  }

  function sign(claims: Claims, key = keys[0]!, header: object = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    return new SignJWT({ iss: url, aud: "api", sub: "ada", exp: now + 600, ...claims } as JWTPayload)
      .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: "at+jwt", ...header })
      .sign(key.privateKey);
  }

  async function close(): Promise<void> {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
}
