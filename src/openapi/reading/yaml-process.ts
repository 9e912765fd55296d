import { createRequire } from "node:module";
import { runInNewContext } from "node:vm";
import { listenOnce } from "../../unattended/guarded.ts";
import type { YamlAnswer, YamlQuestion } from "./parse-yaml.ts";

// A few lines of YAML that name each other can come to any length.
const mostAliases = 100;
// Even so few of them make gigabytes of a long text: it is counted while it is written.
const mostCharacters = 16 * 1_024 * 1_024;

const tooLong: YamlAnswer = { fault: "it comes to too much as JSON: its aliases repeat long parts" };

class TooLong extends Error {}

// Without a listener the channel keeps no process running: it ends when the answer is written, or nobody asks any more.
listenOnce(process, "message", (question: YamlQuestion) => {
  // Who has asked ends it earlier, unless that one has ended itself: while it works, nothing else would tell of that.
  process.send!(runInNewContext("answer()", { answer: () => answer(question) }, { timeout: question.within }));
});

/** Reads YAML 1.2 as far as it comes to JSON. */
function answer({ path, text }: YamlQuestion): YamlAnswer {
  const { parse } = createRequire(import.meta.url)(path) as Pick<typeof import("yaml"), "parse">;
  try {
    // Comparing each name with each other one would take minutes for very many.
    const value: unknown = parse(text, { maxAliasCount: mostAliases, uniqueKeys: false, logLevel: "error" });
    const json = JSON.stringify(value, createCount());
    return json.length > mostCharacters ? tooLong : { json };
  } catch (error) {
    if (error instanceof TooLong) return tooLong;
    return { fault: error instanceof ReferenceError ? `it has more than ${mostAliases} aliases` : "it is no YAML" };
  }
}

/** Lets each part of a value be written as it is, until all of them come to too much. */
function createCount(): (key: string, part: unknown) => unknown {
  let counted = 0;
  return function countCharacters(key, part) {
    counted += key.length + (typeof part === "string" ? part.length : 1);
    if (counted > mostCharacters) throw new TooLong();
    return part;
  };
}
