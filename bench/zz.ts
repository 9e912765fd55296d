import { setScene, request } from "../__tests__/faults/scene.ts";
import { createHttpProxyMiddlewareEngine } from "../src/proxy/engines/http-proxy-middleware.ts";
const wait = (ms: number) => new Promise((r) => setTimeout(r, ms));
const large = "x".repeat(4_000_000);
{
  const s = await setScene(createHttpProxyMiddlewareEngine(), { route: { Limits: { Upload: 0.4 } }, serveOne: ({ socket }) => socket.pause() });
  const c = s.client();
  c.socket.on("error", (e) => console.log("client error", e.message));
  c.write(request("POST", "/x", "Content-Length: 40000000") + large.repeat(10));
  for (let i = 0; i < 6; i++) { await wait(500);
  console.log("D", c.received().slice(-80), c.socket.closed, s.logged, c.socket.bytesWritten, c.socket.writableLength); }
  console.log("leaving"); await s.leave(); console.log("left");
}
process.exit();
