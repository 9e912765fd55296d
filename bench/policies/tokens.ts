import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Files with the public key of some tokens, with one of them, and with more of them than a scheme remembers. */
export type TokenFiles = Readonly<{ key: string; one: string; many: string; remove: () => void }>;

const remembered = 10_000;
const bits = 2_048;
const validSeconds = 7_200;

/** Signs tokens, which takes some seconds. */
export function prepareTokens(): TokenFiles {
  const folder = mkdtempSync(join(tmpdir(), "waymark-bench-"));
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: bits });
  const count = Math.ceil(remembered * 1.2);
  const tokens = Array.from({ length: count }, (_, index) => signToken(`user-${index}`, privateKey));
  return {
    key: write("key.pem", publicKey.export({ type: "spki", format: "pem" }).toString()),
    one: write("one", tokens[0]!),
    many: write("many", tokens.join("\n")),
    remove: () => rmSync(folder, { recursive: true }),
  };

  function write(name: string, text: string): string {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  }
}

function signToken(subject: string, key: KeyObject): string {
  const claims = {
    iss: "https://issuer.example",
    aud: "bench",
    sub: subject,
    exp: Math.floor(Date.now() / 1_000) + validSeconds,
    tenant: "blue",
    size: "1024",
    scope: "orders.read orders.write",
  };
  const signed = [{ alg: "RS256", typ: "at+jwt" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${signed}.${createSign("sha256").update(signed).sign(key, "base64url")}`;
}
