import { Duplex, type Transform } from "node:stream";
import { UpstreamError } from "../../errors.ts";
import { listen, listenOnce } from "../../unattended/guarded.ts";

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
export function createDecompressor({ open, hasFrames }: DecompressorKind, maxBytes: number): Duplex {
  let frame: Frame | undefined;
  let isOver = false;
  const meter = createMeter(maxBytes);
  const firstRead = createFirstRead();

  const decompressor = new Duplex({
    read() {
      firstRead.comes();
      frame?.stream.resume();
    },
    write: (chunk: Buffer, _encoding, callback) => firstRead.awaited(() => feed(chunk, callback)),
    final: end,
    destroy(error, callback) {
      frame?.stream.destroy();
      callback(error);
    },
  });
  return decompressor;

  function feed(chunk: Buffer, callback: () => void): void {
    if (isOver || chunk.length === 0) return callback();
    if (frame === undefined && !meter.takesFrame()) {
      decompressor.destroy(tooLarge(maxBytes));
      return;
    }
    const current = (frame ??= startFrame(open(), give, (error) => decompressor.destroy(error)));
    current.fed += chunk.length;
    current.whenEnded = function feedRest() {
      current.stream.destroy();
      frame = undefined;
      isOver = !hasFrames;
      feed(chunk.subarray(chunk.length - (current.fed - current.stream.bytesWritten)), callback);
    };
    current.stream.write(chunk, (error) => {
      // node:zlib (24.21) may call back with bytes left that stand behind the end of its frame: those come with that end.
      if (!error && frame === current && current.stream.bytesWritten === current.fed) callback();
    });
  }

  function end(callback: () => void): void {
    if (frame === undefined) return finish();
    frame.whenEnded = finish;
    frame.stream.end();

    function finish(): void {
      decompressor.push(null);
      callback();
    }
  }

  function give(chunk: Buffer): void {
    if (!meter.takes(chunk.length)) decompressor.destroy(tooLarge(maxBytes));
    else if (!decompressor.push(chunk)) frame?.stream.pause();
  }
}

type FirstRead = Readonly<{ comes: () => void; awaited: (begin: () => void) => void }>;

/**
 * Lets work begin only when somebody reads: of the parts of an aggregate, which are read one after the other, one has a
 * window at a time, however short their answers are.
 */
function createFirstRead(): FirstRead {
  let isRead = false;
  let whenRead: (() => void) | undefined;
  return { comes, awaited };

  function comes(): void {
    isRead = true;
    whenRead?.();
    whenRead = undefined;
  }

  function awaited(begin: () => void): void {
    if (isRead) begin();
    else whenRead = begin;
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
