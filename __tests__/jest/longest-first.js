import { sep } from "node:path";
import Sequencer from "@jest/test-sequencer";

// These take longest, most for clocks, processes and browsers that they wait for: begun at the end, they would leave cores with nothing to do.
const longest = namesOf([
  ...[
    "browser",
    "cli/serve-workers",
    "package",
    "cli/serve-log",
    "cli/serve",
    "faults/faults",
    "policies/every-mounting",
  ],
  ...["conformance/everything-on", "conformance/answer-framing", "aggregates/parts"],
]);

// These wait for most of their time, but not as long: begun together, they would leave cores with nothing to do as well.
const waiting = namesOf([
  ...["reload/watch", "cli/serve-uploads", "openapi/serving", "websockets/other-protocols", "openapi/slow-documents"],
  ...["policies/discovery", "example-app", "authentication/keys", "hosts/circuit-breaker", "caching/shared-store"],
]);

// So many suites are begun from one that waits to the next.
const between = 8;

/** Begins with the suites that take longest, also where Jest has not seen yet how long each takes. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests).toSorted((one, other) => rankOf(one, longest) - rankOf(other, longest));
    const [spread, others] = [sorted.filter(isWaiting), sorted.filter((test) => !isWaiting(test))];
    spread.sort((one, other) => rankOf(one, waiting) - rankOf(other, waiting));
    const mixed = others.flatMap((test, index) => (index % between === 3 ? [test, ...spread.splice(0, 1)] : [test]));
    return [...mixed, ...spread];
  }
}

function namesOf(suites) {
  return suites.map((name) => `${sep}__tests__${sep}${name.replaceAll("/", sep)}.`);
}

function isWaiting(test) {
  return rankOf(test, waiting) < waiting.length;
}

function rankOf({ path }, names) {
  const rank = names.findIndex((name) => path.includes(name));
  return rank === -1 ? names.length : rank;
}
