import { readFileSync } from "node:fs";

const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
const skipped = report.numPendingTests > 0 ? `, ${report.numPendingTests} skipped` : "";
console.log(`${report.numPassedTests} passed, ${failed} failed${skipped}`);
