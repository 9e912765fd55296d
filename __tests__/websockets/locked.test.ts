import { afterEach, expect, test } from "@jest/globals";
import { closeAll, open, refusal, startEcho, startLive } from "./live.ts";

afterEach(closeAll);

const key = "acme-key-of-some-length";
// The SHA-256 of the key.
const Sha256 = "83b9d507afbadf51b9afe38f69814d915decd7f6e67f537213b01487a82c1ad8";

test("a WebSocket on a locked route needs a key, and the upstream hears neither of a refused one nor of the key", async () => {
  const echo = await startEcho();
  const { url } = await startLive(echo.port, {
    route: { AuthenticationOptions: { AuthenticationProviderKey: "Partners" } },
    global: { AuthenticationSchemes: { Partners: { Type: "ApiKey", Keys: [{ Name: "acme", Sha256 }] } } },
  });
  expect((await refusal(url)).status).toBe(401);
  expect((await refusal(url, { headers: { "x-api-key": `${key}x` } })).status).toBe(401);
  expect(echo.arrivals).toHaveLength(0);
  const socket = await open(url, { headers: { "x-api-key": key } });
  expect(echo.arrivals).toHaveLength(1);
  expect(echo.arrivals[0]!.headers).not.toHaveProperty("x-api-key");
  socket.terminate();
});
