import { after } from "./guarded.ts";

/** Waits for an answer of code that may never give one; `giveUp` learns of it when the time is over. */
export async function withinTime<Answer>(
  answer: Promise<Answer>,
  milliseconds: number,
  giveUp?: (error: Error) => void,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = after(milliseconds, () => {
      const limit = milliseconds < 1_000 ? `${milliseconds} ms` : `${milliseconds / 1_000} s`;
      const error = new Error(`It gave no answer within ${limit}.`);
      giveUp?.(error);
      reject(error);
    });
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
