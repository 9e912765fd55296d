// Preloaded into a process: a minute of its timers and of its servers' limits is 60 ms.
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";

const minute = 60_000;
const factor = 1_000;
const { createServer } = http;
const { setTimeout: startTimer } = globalThis;

globalThis.setTimeout = function setTimeout(callback, milliseconds = 0, ...values) {
  return startTimer(callback, milliseconds < minute ? milliseconds : milliseconds / factor, ...values);
};

http.createServer = function createFastServer({ requestTimeout = 5 * minute, headersTimeout, ...options }, listener) {
  const limits = { requestTimeout: requestTimeout / factor, headersTimeout: headersTimeout / factor };
  return createServer({ ...options, ...limits, connectionsCheckingInterval: 20 }, listener);
};

syncBuiltinESMExports();
