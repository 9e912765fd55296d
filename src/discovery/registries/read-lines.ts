const mostPieces = 1_024;

/** Makes what gives the lines that end in each piece of a text; what stands behind the last end of a line is none. */
export function createLineReader(mostLength: number, tooLong: () => Error): (piece: string) => readonly string[] {
  const begun = createBegunLine();

  return function readLines(piece) {
    const end = piece.lastIndexOf("\n");
    const ended = end === -1 ? [] : (begun.take() + piece.slice(0, end)).split("\n");
    begun.add(piece.slice(end + 1));
    if (begun.length() > mostLength) throw tooLong();
    return ended;
  };
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
