import { processorTimeOf } from "./processor-time.ts";

// What the work below takes where the bounds in milliseconds were set; microseconds.
const usual = 14_000;

/**
 * How many times slower this machine is at the moment than the one on which bounds in milliseconds were set; at least 1. What
 * other processes of this machine take counts for nothing: they may be what a test looks at.
 */
export function machineSlowness(): number {
  work();
  return Math.max(1, processorTimeOf(work) / usual);
}

function work(): number {
  let sum = 0;
  for (let count = 0; count < 8_000; count += 1) {
    const fields = Object.entries(JSON.parse(text) as Record<string, unknown>);
    sum += fields.map(([name, value]) => `${name}: ${String(value)}`).join("\r\n").length;
  }
  return sum;
}

const text = JSON.stringify(Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`name-${index}`, index])));
