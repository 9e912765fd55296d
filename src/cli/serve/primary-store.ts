import { hash } from "node:crypto";
import { listen, nextTurn } from "../../unattended/guarded.ts";
import type { Store, Taken, Taking } from "../../stores/store.ts";

/** What a worker asks its primary: the counts of some requests, each with a number of the worker's. */
export type CountQuestion = Readonly<{ counts: readonly (readonly [number: number, takings: readonly Taking[]])[] }>;

/** What the primary answers. */
export type CountAnswer = Readonly<{ counted: readonly (readonly [number: number, taken: readonly Taken[]])[] }>;

type Asked = Readonly<{ resolve: (taken: readonly Taken[]) => void; reject: (error: Error) => void }>;

/** Makes the store of a worker: the primary counts for all of them. What is asked at the same time is one message. */
export function primaryStore(): Store {
  const asked = new Map<number, Asked>();
  let next: (readonly [number, readonly Taking[]])[] = [];
  let last = 0;
  listen(process, "message", hear);

  return {
    name: "the primary process of the workers",
    take(takings) {
      return new Promise((resolve, reject) => {
        last += 1;
        asked.set(last, { resolve, reject });
        if (next.length === 0) nextTurn(send);
        next.push([last, takings.map(withoutName)]);
      });
    },
  };

  function send(): void {
    const counts = next;
    next = [];
    const question: CountQuestion = { counts };
    if (process.connected) process.send!(question, undefined, undefined, (error) => error && giveUp(counts));
    else giveUp(counts);
  }

  function giveUp(counts: CountQuestion["counts"]): void {
    for (const [number] of counts) {
      asked.get(number)?.reject(new Error("The primary is gone."));
      asked.delete(number);
    }
  }

  function hear(message: Partial<CountAnswer>): void {
    for (const [number, taken] of message.counted ?? []) {
      asked.get(number)?.resolve(taken.map(withRefusal));
      asked.delete(number);
    }
  }
}

const keyBytes = 16;

/** A name may be as long as a header. */
function withoutName(taking: Taking): Taking {
  return { ...taking, client: hash("sha256", taking.client, "buffer").toString("base64url", 0, keyBytes) };
}

/** A message leaves out what is undefined. */
function withRefusal({ refusedFor, ...taken }: Taken): Taken {
  return { ...taken, refusedFor };
}
