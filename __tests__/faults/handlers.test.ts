import { describe, expect, test } from "@jest/globals";
import { takingTurns } from "../fuzz/bounds.ts";
import { engines } from "../helpers/engines.ts";
import { discardedStreamRows } from "./rows/discarded-streams.ts";
import { givenBodyRows } from "./rows/given-bodies.ts";
import { givenStreamRows } from "./rows/given-streams.ts";
import { handlerAnswerRows } from "./rows/handler-answers.ts";
import { handlerRequestRows } from "./rows/handler-requests.ts";
import { lateWriterRows } from "./rows/late-writers.ts";
import { middlewareRows } from "./rows/middleware.ts";
import { pipedAnswerRows } from "./rows/piped-answers.ts";
import { responderRows } from "./rows/responders.ts";
import { sentBytesRows } from "./rows/sent-bytes.ts";
import { sharedAnswerRows } from "./rows/shared-answers.ts";
import { webStreamRows } from "./rows/web-streams.ts";
import { request, type Scene, setScene } from "./scene.ts";

const rows = [
  ...handlerRequestRows,
  ...handlerAnswerRows,
  ...pipedAnswerRows,
  ...givenStreamRows,
  ...givenBodyRows,
  ...discardedStreamRows,
  ...webStreamRows,
  ...sentBytesRows,
  ...sharedAnswerRows,
  ...responderRows,
  ...middlewareRows,
  ...lateWriterRows,
];

describe.each(engines)("$name", ({ create, turn }) => {
  // In the short form each row is played at one engine.
  test.each(takingTurns(rows, engines.length, turn))(
    "$name",
    async ({ options, send = request("GET", "/x"), gets, calls, more, leaves }) => {
      const scene = await setScene(create(), options);
      const wire = scene.client();
      wire.write(send);
      if (leaves) {
        while (countRequests(scene) < (calls ?? 0)) await new Promise(setImmediate);
        await new Promise((resolve) => setTimeout(resolve, 20));
        wire.socket.destroy();
      }
      if (gets === "cut") {
        await wire.ended;
        expect(wire.received()).not.toMatch(/\r\n0\r\n\r\n$/);
      } else {
        for (const text of gets) await wire.until(text);
      }
      await more?.(scene, wire);
      if (calls !== undefined) expect(countRequests(scene)).toBe(calls);
      await scene.leave();
    },
  );
});

function countRequests({ upstream }: Scene): number {
  return (
    upstream
      .allReceived()
      .join("")
      .match(/ HTTP\/1\.1\r\n/g)?.length ?? 0
  );
}
