/** The protocols that a client offers for a WebSocket, and the tokens among them: each behind the word `bearer`. */
type BearerProtocol = Readonly<{ tokens: readonly string[]; others: readonly string[] }>;

/** The word before a token, and what a client is answered whose upstream has chosen no protocol. */
export const bearerWord = "bearer";

/** Reads `Sec-WebSocket-Protocol: bearer, <token>`; browsers can send a token with a WebSocket in no other header. */
export function readBearerProtocol(offered: string | string[] | undefined): BearerProtocol {
  const words = String(offered ?? "").split(",");
  const tokens: string[] = [];
  const others: string[] = [];
  let isBehindBearer = false;
  for (const word of words.map((one) => one.trim())) {
    if (isBehindBearer) tokens.push(word);
    else if (word !== "" && word.toLowerCase() !== bearerWord) others.push(word);
    isBehindBearer = !isBehindBearer && word.toLowerCase() === bearerWord;
  }
  return { tokens, others };
}
