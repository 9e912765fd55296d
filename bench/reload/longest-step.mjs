// Preloaded into a process: SIGUSR2 begins to measure for how long at most its event loop stands still, the next SIGUSR2
// writes what came of it into the folder that LONGEST_STEP_FOLDER names. By the clock, and by what the thread itself has
// worked: on a busy machine it is put aside as well.
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance, PerformanceObserver } from "node:perf_hooks";

const folder = process.env.LONGEST_STEP_FOLDER;
let measured;
let last;

const observer = new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries())
    if (measured) measured.collection = Math.max(measured.collection, duration);
});

report("started", {});

process.on("SIGUSR2", () => {
  if (measured === undefined) begin();
  else end();
});

function begin() {
  measured = { work: 0, wall: 0, collection: 0 };
  last = undefined;
  observer.observe({ entryTypes: ["gc"] });
  tick();
  report("begun", {});
}

function end() {
  observer.disconnect();
  report("ended", measured);
  measured = undefined;
}

function tick() {
  if (measured === undefined) return;
  const { user, system } = process.threadCpuUsage();
  const now = { wall: performance.now(), work: (user + system) / 1_000 };
  if (last !== undefined) {
    measured.work = Math.max(measured.work, now.work - last.work);
    measured.wall = Math.max(measured.wall, now.wall - last.wall);
  }
  last = now;
  setImmediate(tick);
}

/** Whoever waits for the file finds it whole. */
function report(what, content) {
  const file = join(folder, `${process.pid}.${what}`);
  writeFileSync(`${file}.part`, JSON.stringify(content));
  renameSync(`${file}.part`, file);
}
