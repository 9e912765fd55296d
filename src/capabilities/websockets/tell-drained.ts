import { OutgoingMessage, type ServerResponse } from "node:http";

/** Where Node's responses note that their connection takes no more at the moment (seen in 20 to 24). */
const needsDrain = Object.getOwnPropertySymbols(new OutgoingMessage()).find(
  ({ description }) => description === "kNeedDrain",
);

/** Tells a response that its connection takes more, as Node does where it has not let go of that. */
export function tellDrained(res: ServerResponse): void {
  // Who asks `writableNeedDrain` before each write, as web streams do, would wait for ever.
  if (needsDrain !== undefined) Reflect.set(res, needsDrain, false);
  res.emit("drain");
}
