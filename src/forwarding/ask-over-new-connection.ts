import type { EngineAnswer, EngineFailure } from "./engines/engine.ts";

/** Asks again over another connection where a kept one was closed as it was used: that says nothing about the host. */
export async function askTwice(ask: () => Promise<EngineAnswer>): Promise<EngineAnswer> {
  try {
    return await ask();
  } catch (failure) {
    if ((failure as EngineFailure).reused !== true) throw failure;
    return ask();
  }
}
