import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/**
 * Throws away what nobody holds, for a look at the memory afterwards. V8 frees buffers in a thread of its own when
 * it has marked them, 30 MB of them may still count after one round; a second round waits until the first is done.
 */
export function collectGarbage(): void {
  collect();
  collect();
}
