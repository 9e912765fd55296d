import type { AnswerBody } from "../../bodies/answer-body.ts";
import { createHeldBody, writeAll } from "../../bodies/held-body.ts";

/**
 * What is done to the bytes of a body on their way: those that begin it, each later piece, and what comes at its end.
 * Long pieces are made for this body alone, as their memory is freed when they have been written.
 */
export type Passage = Readonly<{ start: readonly Buffer[]; pass?: (chunk: Buffer) => Buffer; end?: () => Buffer }>;

/**
 * Chooses by the first bytes what is done to a body. It keeps what it is given until it has chosen: an upstream that sends
 * byte by byte must not have all of them looked at again for each.
 */
export type PassageChooser<Chosen extends Passage> = Readonly<{
  /** Takes the next bytes; undefined when more are needed. */
  take: (piece: Buffer) => Chosen | undefined;
  /** Chooses when no more come. */
  end: () => Chosen;
}>;

/** A body on its way, and what was chosen for it. */
type Relayed<Chosen extends Passage> = Readonly<{ body: AnswerBody; passage: Chosen }>;

/** Reads a body as far as the choice needs, and hands it on changed; rejects when it breaks off before the choice. */
export function relayBody<Chosen extends Passage>(
  source: AnswerBody,
  chooser: PassageChooser<Chosen>,
): Promise<Relayed<Chosen>> {
  return new Promise((resolve, reject) => {
    const { flow, isLent = false } = source;
    const body = createHeldBody(flow, { isLent });
    let passage: Chosen | undefined;
    source.sendTo({ write, end, fail });

    function write(chunk: Buffer): boolean {
      if (passage === undefined) return begin(chooser.take(chunk));
      return body.write(passage.pass === undefined ? chunk : passage.pass(chunk));
    }

    function begin(chosen: Chosen | undefined): boolean {
      if (chosen === undefined) return true;
      passage = chosen;
      resolve({ body, passage });
      return writeAll(passage.start, body);
    }

    function end(last?: Buffer): void {
      if (last !== undefined) write(last);
      if (passage === undefined) begin(chooser.end());
      body.end(passage?.end?.());
    }

    function fail(error: Error): void {
      reject(error);
      body.fail(error);
    }
  });
}
