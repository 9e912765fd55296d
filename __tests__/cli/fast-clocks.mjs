// Preloaded into a process: a minute of its timers and of its servers' limits is 240 ms; timers of less than a second stay.
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";

const minute = 60_000;
// What is left of a longer wait goes as fast as that.
const shortest = minute / 60;
const factor = 250;
const late = 2;
const { createServer } = http;
const { setTimeout: startTimer } = globalThis;

globalThis.setTimeout = function setTimeout(callback, milliseconds = 0, ...values) {
  return startTimer(callback, milliseconds < shortest ? milliseconds : milliseconds / factor + late, ...values);
};

// What is compared with a timer goes as fast.
const now = performance.now.bind(performance);
performance.now = () => now() * factor;

http.createServer = function createFastServer({ requestTimeout = 5 * minute, headersTimeout, ...options }, listener) {
  const limits = { requestTimeout: requestTimeout / factor, headersTimeout: headersTimeout / factor };
  return createServer({ ...options, ...limits, connectionsCheckingInterval: 20 }, listener);
};

syncBuiltinESMExports();
