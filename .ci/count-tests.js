import { readFileSync } from "node:fs";

const reports = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, "utf8")));
const passed = sum(({ numPassedTests }) => numPassedTests);
const failed = sum(({ numFailedTests, numRuntimeErrorTestSuites }) => numFailedTests + numRuntimeErrorTestSuites);
const skipped = sum(({ numPendingTests }) => numPendingTests);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);

function sum(count) {
  return reports.reduce((total, report) => total + count(report), 0);
}
