import { expect } from "@jest/globals";
import { request } from "../scene.ts";
import { answers, type Fault, upload } from "./fault.ts";

/** What goes wrong before there is a connection. */
export const connectFaults: readonly Fault[] = [
  {
    name: "connect: refused",
    async play(scene) {
      await scene.upstream.refuse();
      await answers(502, "upstream-refused")(scene);
    },
  },
  {
    name: "connect: refused, with an upload that came whole",
    async play(scene) {
      await scene.upstream.refuse();
      await answers(502, "upstream-refused")(scene, `${upload}0123456789`);
    },
  },
  {
    name: "connect: refused, with an upload that does not come",
    async play(scene) {
      await scene.upstream.close();
      const { write, ended, received } = scene.client();
      write(upload);
      await ended;
      expect(received()).toMatch(/^HTTP\/1.1 502 [^]*connection: close[^]*"code":"upstream-refused"/i);
    },
  },
  {
    name: "connect: a name that nobody knows",
    options: { route: { DownstreamHostAndPorts: [{ Host: "nowhere.invalid", Port: 80 }] } },
    play: answers(502, "upstream-not-found"),
  },
  {
    name: "connect: no TLS where there should be",
    options: {
      route: { DownstreamScheme: "https" },
      serveOne: ({ write }) => write("HTTP/1.1 400 Bad Request\r\n\r\n"),
    },
    play: answers(502, "upstream-tls"),
  },
  {
    name: "connect: a TLS handshake that stalls",
    options: { route: { DownstreamScheme: "https", Limits: { Connect: 0.2 } } },
    play: answers(504, "connect-timeout"),
  },
  {
    name: "connect: a TLS handshake that is cut",
    options: { route: { DownstreamScheme: "https" }, serveOne: ({ socket }) => socket.resetAndDestroy() },
    play: answers(502, "upstream-reset"),
  },
  {
    name: "connect: the client leaves while the connection is made",
    options: { route: { DownstreamScheme: "https" } },
    async play({ client, upstream }) {
      const { write, socket } = client();
      write(request("GET", "/x"));
      const connection = await upstream.next();
      socket.destroy();
      await connection.ended;
    },
  },
];
