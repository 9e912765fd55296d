/** Text as it comes in, and how much of it may make a line. */
type IncomingText = Readonly<{ pieces: AsyncIterable<string>; mostLength: number; tooLong: () => Error }>;

const mostPieces = 1_024;

/** Reads text line by line, without what stands behind the last end of a line. */
export async function* readLines({ pieces, mostLength, tooLong }: IncomingText): AsyncGenerator<string, void> {
  const begun = createBegunLine();
  for await (const piece of pieces) {
    const end = piece.lastIndexOf("\n");
    if (end !== -1) yield* (begun.take() + piece.slice(0, end)).split("\n");
    begun.add(piece.slice(end + 1));
    if (begun.length() > mostLength) throw tooLong();
  }
}

/** A line without its end yet. It is put together when it is taken: at each piece, many small ones would cost its length. */
function createBegunLine(): Readonly<{ add: (piece: string) => void; take: () => string; length: () => number }> {
  let long: string[] = [];
  let short: string[] = [];
  let length = 0;
  return { add, take, length: () => length };

  function add(piece: string): void {
    length += piece.length;
    short.push(piece);
    if (short.length === mostPieces) long.push(short.splice(0).join(""));
  }

  function take(): string {
    const line = [...long, ...short].join("");
    [long, short, length] = [[], [], 0];
    return line;
  }
}
