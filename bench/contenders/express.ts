import { createServer } from "node:http";
import express from "express";
import { type Listening, listen, type Settings } from "../contender.ts";

/** Not a proxy: what Express and Node cost by themselves. */
export function start(settings: Settings): Promise<Listening> {
  const body = Buffer.from(`{"text":"${"x".repeat(89)}"}`);
  const app = express();
  app.use((_req, res) => {
    res.writeHead(200, {
      "content-type": "application/json",
      "content-length": body.length,
      "cache-control": "no-cache",
    });
    res.end(body);
  });
  return listen(createServer(app), settings);
}
