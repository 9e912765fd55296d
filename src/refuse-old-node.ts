import { findWrongVersion } from "./find-wrong-version.ts";

// Entries import this first: what comes behind it would fail on an older Node with an error that tells nothing.
const wrongVersion = findWrongVersion(process.versions.node);
if (wrongVersion !== undefined) throw new Error(wrongVersion);
