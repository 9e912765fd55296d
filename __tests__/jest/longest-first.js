import { sep } from "node:path";
import Sequencer from "@jest/test-sequencer";

// These take longest, most for clocks, processes and browsers that they wait for: begun at the end, they would leave cores with nothing to do.
const longest = [
  ...["browser", "cli/serve-workers", "package", "cli/serve-log", "cli/serve", "faults/faults", "reload/watch"],
  ...["policies/every-mounting", "discovery/dynamic", "policies/discovery", "conformance/everything-on"],
  ...["gateway/behind-others", "example-app", "config/quoted-secrets", "cli/serve-uploads", "authentication/keys"],
  ...["config/misspelt-keys", "policies/config", "caching/shared-store", "hosts/circuit-breaker"],
  ...["websockets/other-protocols", "conformance/answer-framing"],
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
