import { spawn } from "node:child_process";
import { once } from "node:events";
import http, { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { loadingPacked } from "../helpers/load-packed.ts";
import { closeServer, listen } from "../helpers/start-upstream.ts";
import { findFreePort } from "../../bench/find-free-port.ts";

const file = fileURLToPath(new URL("../../example-app/cluster.ts", import.meta.url));

/** On a connection of its own: the system gives connections to the workers, not requests. */
function ask(port: number): Promise<{ worker: string | undefined; status: number | undefined }> {
  return new Promise((resolve, reject) => {
    const request = http.get({ port, path: "/turns", agent: false }, (answer) => {
      answer
        .resume()
        .on("end", () => resolve({ worker: String(answer.headers["x-worker"]), status: answer.statusCode }));
    });
    request.on("error", reject);
  });
}

/** The example with two workers, as the leader of a group of processes. */
async function startCluster(upstreamPort: number) {
  const port = await findFreePort();
  const services = { DOWNSTREAM_PORT: String(upstreamPort), SECOND_DOWNSTREAM_PORT: String(upstreamPort) };
  const env = { ...process.env, ...services, CLUSTER_PORT: String(port), WORKERS: "2" };
  const child = spawn(process.execPath, [...loadingPacked, file], { env, detached: true });
  const ended = once(child, "close");
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  return { port, child, ended, listening, pidOf };

  function listening(count: number): Promise<void> {
    return new Promise((resolve) => {
      child.stdout.on("data", look);
      look();

      function look(): void {
        if (output.split("listens at").length > count) resolve();
      }
    });
  }

  function pidOf(worker: number): number {
    return Number(new RegExp(`Worker ${worker} \\(process (\\d+)\\)`).exec(output)?.[1]);
  }
}

test("the gateway runs on several cores, a worker that dies is replaced, and SIGTERM ends all", async () => {
  const upstream = createServer((_req, res) => res.end("there"));
  const { port, child, ended, listening, pidOf } = await startCluster(await listen(upstream));

  await listening(2);
  const workers = new Set<string | undefined>();
  // The system may give many connections in a row to a worker that is awake already.
  for (let rounds = 0; workers.size < 2 && rounds < 100; rounds += 1) {
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(port)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const { worker } of answers) workers.add(worker);
  }
  expect(workers).toEqual(new Set(["1", "2"]));

  process.kill(pidOf(1), "SIGKILL");
  await listening(3);
  expect((await ask(port)).status).toBe(200);

  process.kill(pidOf(2), "SIGTERM");
  await listening(4);
  expect((await ask(port)).status).toBe(200);

  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  await closeServer(upstream);
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s to all processes of the group ends all, and no other begins",
  async (signal) => {
    const upstream = createServer((_req, res) => res.end("there"));
    const { port, child, ended, listening } = await startCluster(await listen(upstream));
    await listening(2);

    process.kill(-child.pid!, signal);
    expect(await ended).toEqual([0, null]);
    await expect(ask(port)).rejects.toThrow("ECONNREFUSED");
    await closeServer(upstream);
  },
);
