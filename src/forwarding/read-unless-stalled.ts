import { type Sent, startClocks } from "../capabilities/timeouts/call-clocks.ts";

/** Reads a body before anything is sent: fails as a sending does where the upload stands still for so many milliseconds. */
export function readUnlessStalled<Value>(sent: Sent, upload: number, read: () => Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = startClocks(sent, { upload, answer: noWait }, (error) => {
      stop();
      reject(error);
    });
    void read().then(resolve, reject).finally(stop);
  });
}

/** Nobody answers yet. */
function noWait(): () => void {
  return () => undefined;
}
