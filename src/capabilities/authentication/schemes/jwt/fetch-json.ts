import { isConfidential } from "../../../../urls/is-confidential.ts";

const longestWait = 5_000;
const mostBytes = 1_048_576;

/** Fetches a JSON document of an issuer: over TLS unless it runs on this machine, without redirects, of bounded length. */
export async function fetchJson(url: string): Promise<unknown> {
  if (!isConfidential(new URL(url))) throw new Error(`${url} is not asked: expected https.`);
  const answer = await fetch(url, {
    redirect: "error",
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(longestWait),
  });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new Error(`${url} answered ${answer.status}.`);
  }
  return JSON.parse(await readText(answer, url)) as unknown;
}

async function readText({ body }: Response, url: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += (piece as Uint8Array).length;
    if (length > mostBytes) throw new Error(`${url} answered more than ${mostBytes} bytes.`);
    pieces.push(piece as Uint8Array);
  }
  return Buffer.concat(pieces).toString();
}
