import { sep } from "node:path";
import Sequencer from "@jest/test-sequencer";

// These wait longest, for clocks, processes and browsers: begun at the end, they would leave cores with nothing to do.
const longest = [
  ...["browser", "cli/serve-workers", "package", "cli/serve-log", "cli/serve", "reload/watch", "faults/faults"],
  ...["policies/config", "responders/broken-answers", "example-app", "gateway/routing-vectors"],
  ...["conformance/answer-framing", "conformance/everything-on", "bodies/freed-memory", "websockets/other-protocols"],
].map((name) => `${sep}__tests__${sep}${name.replaceAll("/", sep)}.`);

/** Begins with the suites that take longest, also where Jest has not seen yet how long each takes. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ path }) {
  const rank = longest.findIndex((name) => path.includes(name));
  return rank === -1 ? longest.length : rank;
}
