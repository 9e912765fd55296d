import { PassThrough, pipeline, Readable, type Writable } from "node:stream";
import { listen, rightAfter } from "../../unattended/guarded.ts";

/** What Node keeps of a stream's pipes (seen in 20 to 24); what is only written to has no such state. */
export type PipedStream = (Readable | Writable) &
  Readonly<{ _readableState?: Readonly<{ pipes?: readonly PipedStream[] | PipedStream | null }> }>;

/** The streams to which a stream is piped. */
export function pipesOf({ _readableState: state }: PipedStream): readonly PipedStream[] {
  const pipes = state?.pipes ?? [];
  // Older versions of the package `readable-stream`, which many others have, keep a single one by itself.
  return "length" in pipes ? pipes : [pipes];
}

/** Calls back when something new reads a stream, such as a pipe, and what is to happen at its end is known, too. */
export function whenReadAnew(stream: PipedStream, act: () => void): void {
  // Node begins to read for a pipe when it has noted it; what happens at its end, it says right after that.
  listen(stream, "newListener", (event: string) => {
    if (event === "data") rightAfter(act);
  });
}

/** Whether a stream that is piped into another ends that, too: `{ end: false }` leaves it to all who write there. */
export function endsWithSource(source: PipedStream, target: PipedStream): boolean {
  const pipes = pipesOf(source);
  const ends = endsOf(source);
  // Streams of other libraries say nothing of that.
  return ends.length !== pipes.length || ends[pipes.indexOf(target)] !== false;
}

/** What Node listens by for the end of a stream that is piped. */
type EndListeners = Readonly<Record<"ends" | "leaves" | "pipelineEnds", string>>;

let learned: EndListeners | undefined;

/** For each pipe of a stream, in their order, whether it ends its target. */
function endsOf(source: PipedStream): readonly boolean[] {
  const { ends, leaves, pipelineEnds } = (learned ??= learnEndListeners());
  const found: boolean[] = [];
  for (const text of endListenersOf(source)) {
    if (text === ends || text === leaves) found.push(text === ends);
    // A pipeline pipes as if its target were to stay, and ends that by itself.
    else if (text === pipelineEnds) found[found.length - 1] = true;
  }
  return found;
}

/** Node keeps nowhere else what a pipe was told of its end. */
function learnEndListeners(): EndListeners {
  const [ends] = listenersBy((source) => source.pipe(new PassThrough()));
  const [leaves] = listenersBy((source) => source.pipe(new PassThrough(), { end: false }));
  const ofPipeline = listenersBy((source) => pipeline(source, new PassThrough(), () => undefined));
  const pipelineEnds = ofPipeline[ofPipeline.indexOf(leaves!) + 1];
  return { ends: ends!, leaves: leaves!, pipelineEnds: pipelineEnds! };
}

function listenersBy(listen: (source: Readable) => unknown): readonly string[] {
  const source = new Readable({ read: () => undefined });
  listen(source);
  return endListenersOf(source);
}

/** Functions that are made of the same text in Node's sources. */
function endListenersOf(source: PipedStream): readonly string[] {
  return source.listeners("end").map(String);
}
