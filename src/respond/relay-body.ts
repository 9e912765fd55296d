import type { AnswerBody } from "../answer/answer-body.ts";
import { createHeldBody, writeAll } from "../answer/held-body.ts";

/**
 * What is done to the bytes of a body on their way: those that begin it, each later piece, and what comes at its end.
 * Long pieces are made for this body alone, as their memory is freed when they have been written.
 */
export type Passage = Readonly<{ start: readonly Buffer[]; pass?: (chunk: Buffer) => Buffer; end?: () => Buffer }>;

/** Chooses by the first bytes what is done to a body; undefined when more bytes are needed, which never is when they are the whole. */
export type ChoosePassage<Chosen extends Passage> = (head: Buffer, isWhole: boolean) => Chosen | undefined;

/** A body on its way, and what was chosen for it. */
export type Relayed<Chosen extends Passage> = Readonly<{ body: AnswerBody; passage: Chosen }>;

const nothing = Buffer.alloc(0);

/** Reads a body as far as the choice needs, and hands it on changed; rejects when it breaks off before the choice. */
export function relayBody<Chosen extends Passage>(
  source: AnswerBody,
  choose: ChoosePassage<Chosen>,
): Promise<Relayed<Chosen>> {
  return new Promise((resolve, reject) => {
    const body = createHeldBody(source.flow);
    let head: Buffer = nothing;
    let passage: Chosen | undefined;
    source.sendTo({ write, end, fail });

    function write(chunk: Buffer): boolean {
      if (passage === undefined) return begin(head.length === 0 ? chunk : Buffer.concat([head, chunk]), false);
      return body.write(passage.pass === undefined ? chunk : passage.pass(chunk));
    }

    function begin(bytes: Buffer, isWhole: boolean): boolean {
      head = bytes;
      passage = choose(head, isWhole);
      if (passage === undefined) return true;
      resolve({ body, passage });
      return writeAll(passage.start, body);
    }

    function end(last?: Buffer): void {
      if (last !== undefined) write(last);
      if (passage === undefined) begin(head, true);
      body.end(passage?.end?.());
    }

    function fail(error: Error): void {
      reject(error);
      body.fail(error);
    }
  });
}
