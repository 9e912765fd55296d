import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, test } from "@jest/globals";
import { GatewayError, type Logger, problemDetails } from "../../src/index.ts";

test.each([
  ["an error that nobody expected", new Error("boom"), 500, ["A handler failed."]],
  [
    "one that says it is the server's fault",
    Object.assign(new Error("boom"), { status: 503 }),
    503,
    ["A handler failed."],
  ],
  ["one that is the client's fault", Object.assign(new Error("bad"), { status: 400 }), 400, []],
  ["one of a gateway, which has logged it", new GatewayError("closing", "The gateway is closing."), 503, []],
])("%s is told to the logger as it should be", async (_reason, thrown, status, messages) => {
  const logged: string[] = [];
  const note = (_fields: object, message: string): void => void logged.push(message);
  const logger: Logger = { error: note, warn: note, info: note, debug: note };
  const app = express();
  app.get("/", () => {
    throw thrown;
  });
  app.use(problemDetails({ logger }));
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect({ status: response.status, logged }).toEqual({ status, logged: messages });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
