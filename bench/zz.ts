import { setScene, request } from "../__tests__/faults/scene.ts";
import { createHttpProxyMiddlewareEngine } from "../src/proxy/engines/http-proxy-middleware.ts";
const wait = (ms: number) => new Promise((r) => setTimeout(r, ms));
const large = "x".repeat(4_000_000);
{
  const s = await setScene(createHttpProxyMiddlewareEngine(), { route: { Limits: { Upload: 0.4 } }, serveOne: ({ socket }) => socket.pause() });
  const c = s.client();
  c.socket.on("error", (e) => console.log("client error", e.message));
  c.write(request("POST", "/x", "Content-Length: 40000000") + large.repeat(10));
  await wait(1500);
  console.log("D", c.received().slice(0, 80), c.socket.closed, s.logged);
}
{
  const s = await setScene(createHttpProxyMiddlewareEngine());
  const c = s.client();
  const rest = request("GET", "/smuggled").repeat(50_000);
  c.write(request("POST", "/x", `Content-Length: ${rest.length}`) + rest.slice(0, 100));
  const up = await s.upstream.next();
  await up.until("GET /smuggled");
  up.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly");
  await c.until("early");
  c.write(rest.slice(100) + request("GET", "/next"));
  await wait(1000);
  console.log("E", c.received(), c.socket.writableLength, c.socket.closed, s.logged, s.upstream.count(), up.socket.closed);
}
{
  const s = await setScene(createHttpProxyMiddlewareEngine());
  const { write, until, socket } = s.client();
  write(request("GET", "/x"));
  const connection = await s.upstream.next();
  await connection.until("\r\n\r\n");
  connection.write("HTTP/1.1 200 OK\r\nContent-Length: 400000000\r\n\r\n");
  await until("200 OK");
  socket.pause();
  for (let written = 0; written < 100 && !connection.socket.writableNeedDrain; written += 1) connection.write(large);
  await wait(300);
  console.log("C", connection.socket.writableLength);
  socket.destroy();
  await wait(1000);
  console.log("C", connection.socket.closed, s.logged);
}
process.exit();
