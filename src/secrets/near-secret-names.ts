import { editDistance } from "../closest-name.ts";

/** What a misspelt name may mean, and by how many slips. */
type MeantSecret = Readonly<{ name: string; slips: number }>;

/** How many slips a term may have where it is a word, and where it is a part of a longer one. */
type Term = Readonly<{ name: string; letters: string; inWord: number; inPart: number }>;

// So short, they are near to parts of very many words.
const twiceInWords = [
  "token",
  "passphrase",
  "passcode",
  "credential",
  "credentials",
  "signature",
  "authorization",
].concat("connectionstring");
// Much of what begins or ends with one of their words is near to them.
const onceInWords = [
  ...["bearer", "apikey", "accesskey", "secretkey", "privatekey", "sharedkey", "signingkey", "masterkey", "accountkey"],
  ...["signingkeys", "encryptionkey", "subscriptionkey", "accesstoken", "apitoken", "authorisation", "sha256"],
];

const terms: readonly Term[] = [
  termOf("password", 2, 2),
  termOf("secret", 2, 1),
  ...twiceInWords.map((name) => termOf(name, 2, 0)),
  ...onceInWords.map((name) => termOf(name, 1, 0)),
];

/** So short, they are near to very many words: only two neighbours may have changed places. */
const shortTerms = ["key", "jwt", "pwd", "pass", "auth"].map((name) => termOf(name, 1, 0));

// These are as near to one of the terms.
const ordinaryWords = /^(?:sect|secant|secure[ds]?|sacred|sockets?|taken|woken|passport|nearer)$|discret|secrec/;

const slippedIn = /[^\s\w.-]/g;
const longestName = 64;
// Shorter ones are near to other words that begin alike.
const longName = 8;

function termOf(name: string, inWord: number, inPart: number): Term {
  return { name, letters: [...new Set(name)].join(""), inWord, inPart };
}

/**
 * Prepares to find the secret that a name would be the name of but for a slip or two, undefined where it is near to none;
 * some names more may have one slip.
 */
export function createFindMeantSecret(more: readonly string[]): (name: string) => MeantSecret | undefined {
  const all = terms.concat(more.map((name) => termOf(name, 1, 0)));
  return (name) => findAmong(all, name);
}

function findAmong(terms: readonly Term[], name: string): MeantSecret | undefined {
  if (name.length > longestName) return undefined;
  const words = wordsOf(name.replaceAll(slippedIn, "")).filter((word) => !ordinaryWords.test(word));
  const pairs = words.slice(1).map((word, index) => words[index]! + word);
  let meant: MeantSecret | undefined;
  for (const term of terms) {
    const own = words.map((word) => Math.min(slipsIn(word, term), slipsInPart(word, term)));
    const slips = Math.min(...own, ...pairs.map((pair) => slipsIn(pair, { ...term, inWord: 1 })));
    if (slips < (meant?.slips ?? Infinity)) meant = { name: term.name, slips };
  }
  const swapped = meant ?? shortTerms.find((term) => words.some((word) => isSwapped(word, term)));
  return swapped && { slips: 1, ...swapped };
}

function slipsIn(word: string, term: Term): number {
  const { name, inWord } = term;
  if (lacks(word, term, inWord)) return Infinity;
  const slips = editDistance(word, name, inWord + 1);
  // A name without slips is judged by those who know what secrets are called.
  if (slips === 0 || slips > inWord) return Infinity;
  const isAlike = word.startsWith(name[0]!) && (name.length >= longName || word.at(-1) === name.at(-1));
  return slips === 1 || (isAlike && !lacks(word, term, 1)) ? slips : Infinity;
}

/** The least slips for any part of a word that begins as the term does; without any, two neighbours may be swapped. */
function slipsInPart(word: string, term: Term): number {
  const { name, inPart } = term;
  if (word.length < name.length - inPart || lacks(word, term, inPart)) return Infinity;
  let least = Infinity;
  for (let at = word.indexOf(name[0]!); at !== -1; at = word.indexOf(name[0]!, at + 1)) {
    for (let length = name.length - inPart; length <= name.length + inPart; length += 1) {
      const part = word.slice(at, at + length);
      const slips = inPart === 0 ? Number(!isSwapped(part, term)) * 2 + 1 : editDistance(part, name, inPart + 1);
      if (slips > 0 && slips <= Math.max(1, inPart)) least = Math.min(least, slips);
    }
  }
  return least;
}

function isSwapped(word: string, { name }: Term): boolean {
  if (word.length !== name.length || word === name) return false;
  return sorted(word) === sorted(name) && editDistance(word, name, 2) === 1;
}

function sorted(word: string): string {
  return Array.from(word).toSorted().join("");
}

/** Whether a word lacks more letters of a term than this: comparing takes longer, and most words lack many. */
function lacks(word: string, { letters }: Term, most: number): boolean {
  let lacking = 0;
  for (let at = 0; at < letters.length && lacking <= most; at += 1) if (!word.includes(letters[at]!)) lacking += 1;
  return lacking > most;
}

/** `ApiKye`, `api_kye` and `API-KYE` are the same two words. */
function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]?[a-z\d]+|[A-Z\d]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
}
