import { Duplex, type Transform } from "node:stream";
import { UpstreamError } from "../errors.ts";
import { listen, listenOnce } from "../unattended/guarded.ts";
import { createDemand } from "./decompress-when-read.ts";

/** One of node:zlib's decompressing streams. */
type ZlibStream = Transform & { readonly bytesWritten: number };

/** How a coding is undone: a stream of node:zlib, and whether other frames may follow the first. */
export type DecompressorKind = Readonly<{ open: () => ZlibStream; hasFrames: boolean }>;

/** One stream of node:zlib at work, and the bytes that went into it. */
type Frame = { stream: ZlibStream; fed: number; whenEnded: () => void };

// Each frame has a stream and a buffer of its own: even an empty one costs what so many bytes of others cost.
const bytesOfFrame = 65_536;
const fewFrames = 16;

/**
 * A decompressing stream that does what those of node:zlib (24.21) leave out: it has an end to what it gives and to
 * its frames, it takes nothing at all for an empty body, it reads every frame and not only the first, and behind the last
 * one it reads on, so that a cut there shows. It takes memory only when somebody reads.
 */
export function createDecompressor(kind: DecompressorKind, maxBytes: number): Duplex {
  const meter = createMeter(maxBytes);
  const demand = createDemand();
  const frames = createFrames(kind, { takesFrame, give, fail });

  const decompressor = new Duplex({
    read() {
      demand.readerTakes();
      frames.resume();
    },
    write: takeIn,
    final: (callback) => frames.end(() => finish(callback)),
    destroy(error, callback) {
      frames.destroy();
      callback(error);
    },
  });
  return decompressor;

  function fail(error: Error): void {
    decompressor.destroy(error);
  }

  function takeIn(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    if (frames.takeNoMore() || chunk.length === 0) return callback();
    demand.await(() => frames.feed(chunk, callback));
  }

  function takesFrame(): boolean {
    if (meter.takesFrame()) return true;
    fail(tooLarge(maxBytes));
    return false;
  }

  function give(chunk: Buffer): void {
    if (!meter.takes(chunk.length)) fail(tooLarge(maxBytes));
    else if (!decompressor.push(chunk)) frames.pause();
  }

  function finish(callback: () => void): void {
    decompressor.push(null);
    callback();
  }
}

type Frames = Readonly<{
  feed: (chunk: Buffer, callback: () => void) => void;
  end: (callback: () => void) => void;
  takeNoMore: () => boolean;
  resume: () => void;
  pause: () => void;
  destroy: () => void;
}>;

/** Who hears of what the frames give, may refuse a further one, and of their failure. */
type Hearer = Readonly<{ takesFrame: () => boolean; give: (chunk: Buffer) => void; fail: (error: Error) => void }>;

function createFrames({ open, hasFrames }: DecompressorKind, { takesFrame, give, fail }: Hearer): Frames {
  let frame: Frame | undefined;
  let isOver = false;
  return {
    feed,
    end,
    takeNoMore: () => isOver,
    resume: () => void frame?.stream.resume(),
    pause: () => void frame?.stream.pause(),
    destroy: () => void frame?.stream.destroy(),
  };

  function feed(chunk: Buffer, callback: () => void): void {
    if (isOver || chunk.length === 0) return callback();
    if (frame === undefined && !takesFrame()) return;
    const current = (frame ??= startFrame(open(), give, fail));
    current.fed += chunk.length;
    current.whenEnded = function feedRest() {
      current.stream.destroy();
      frame = undefined;
      isOver = !hasFrames;
      feed(chunk.subarray(chunk.length - (current.fed - current.stream.bytesWritten)), callback);
    };
    current.stream.write(chunk, (error) => {
      if (!error && frame === current) callback();
    });
  }

  function end(callback: () => void): void {
    if (frame === undefined) return callback();
    frame.whenEnded = callback;
    frame.stream.end();
  }
}

type Meter = Readonly<{ takes: (bytes: number) => boolean; takesFrame: () => boolean }>;

/** Counts what is given; a body of a few small frames is what it holds. */
function createMeter(maxBytes: number): Meter {
  let given = 0;
  let frames = 0;
  return { takes, takesFrame };

  function takes(bytes: number): boolean {
    given += bytes;
    return given <= maxBytes;
  }

  function takesFrame(): boolean {
    frames += 1;
    return takes(frames > fewFrames ? bytesOfFrame : 0);
  }
}

function startFrame(stream: ZlibStream, give: (chunk: Buffer) => void, fail: (error: UpstreamError) => void): Frame {
  const frame: Frame = { stream, fed: 0, whenEnded: () => undefined };
  listen(stream, "data", give);
  listenOnce(stream, "end", () => frame.whenEnded());
  listen(stream, "error", (cause: Error) => fail(corrupt(cause)));
  return frame;
}

function corrupt(cause: Error): UpstreamError {
  return new UpstreamError("upstream-ill-formed", "The body of the upstream's answer cannot be decompressed.", {
    cause,
  });
}

function tooLarge(maxBytes: number): UpstreamError {
  return new UpstreamError(
    "upstream-ill-formed",
    `The body of the upstream's answer is more than ${maxBytes} bytes when decompressed.`,
  );
}
