import { Readable } from "node:stream";
import { ignoreErrors } from "../../unattended/guarded.ts";
import type { Sink } from "../answer-body.ts";
import { measureSink } from "../body-of-told-length.ts";
import { failureOfStream } from "../broken-off.ts";
import { giveUpBody } from "./give-up-body.ts";
import { hold, release } from "./hold-until-read.ts";
import { sendStream } from "../stream-body.ts";

/**
 * Reads all that a body gives from now on, at the pace of whoever reads what this gives: code that has the body, too, may read
 * it by a loop, which would take pieces away from another loop. Nobody gets anything before the first read.
 */
export function readBesideCode(body: Readable, length: number | undefined): Readable {
  let isBegun = false;
  hold(body);
  const beside = new Readable({
    read() {
      release(body);
      if (!isBegun) begin();
    },
    destroy(error, callback) {
      release(body);
      giveUpBody(body);
      callback(error);
    },
  });
  ignoreErrors(beside);
  return beside;

  function begin(): void {
    isBegun = true;
    const sink: Sink = {
      write(piece) {
        if (!beside.push(piece)) hold(body);
        return true;
      },
      end: () => beside.push(null),
      fail: (error) => void beside.destroy(error),
    };
    const measured = length === undefined ? sink : measureSink(sink, { length, stop: () => giveUpBody(body) });
    sendStream(body, measured, failureOfStream(body));
  }
}
