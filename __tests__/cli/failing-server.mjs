// Preloaded into a process: a request for a certain path finds its server failing, as it does where a connection cannot be accepted.
import { subscribe } from "node:diagnostics_channel";

subscribe("http.server.request.start", ({ request, server }) => {
  if (request.url === "/orders/failing-server") server.emit("error", new Error("accept ENOBUFS"));
});
