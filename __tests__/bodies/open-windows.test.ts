import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { createOpenWindows, type OpenWindow } from "../../src/bodies/open-windows.ts";

const mebibyte = 1_048_576;
const bytes = 16 * mebibyte;

type Row = Readonly<{
  title: string;
  /** How much comes out between two looks. */
  pace: number;
  window?: Partial<OpenWindow>;
  room?: number;
  isBrokenOff: boolean;
}>;

const rows: readonly Row[] = [
  { title: "stands still", pace: 0, isBrokenOff: true },
  { title: "gives a few bytes to keep its window", pace: 100, isBrokenOff: true },
  { title: "moves", pace: 65_536, isBrokenOff: false },
  { title: "waits for the processor", pace: 0, window: { waits: () => false }, isBrokenOff: false },
  { title: "holds little", pace: 0, window: { bytes: () => 262_144 }, isBrokenOff: false },
  { title: "stands still where there is room", pace: 0, room: 1_000 * mebibyte, isBrokenOff: false },
];

test("Those that stand still are broken off while windows take too much", async () => {
  const found = await Promise.all(rows.map(async (row) => ({ ...row, isBrokenOff: await isBrokenOff(row) })));

  expect(found).toEqual(rows);
});

async function isBrokenOff({ pace, window, room = mebibyte }: Row): Promise<boolean> {
  const windows = createOpenWindows(room);
  const reasons: { code: string }[] = [];
  let given = 0;
  const opened: OpenWindow = {
    bytes: () => bytes,
    given: () => (given += pace),
    waits: () => true,
    breakOff: (reason) => {
      windows.remove(opened);
      reasons.push(reason);
    },
    ...window,
  };
  windows.add(opened);
  await wait(1_900);
  windows.remove(opened);
  return reasons.some(({ code }) => code === "overloaded");
}

test("Answers that have stood still for longest are broken off first, and no more of them than must be", async () => {
  const windows = createOpenWindows(40 * mebibyte);
  const broken: string[] = [];
  const open = (name: string): OpenWindow => {
    const opened: OpenWindow = {
      bytes: () => bytes,
      given: () => 0,
      waits: () => true,
      breakOff: () => {
        windows.remove(opened);
        broken.push(name);
      },
    };
    windows.add(opened);
    return opened;
  };
  const first = open("first");
  await wait(600);
  const others = ["second", "third"].map(open);
  await wait(5_500);
  for (const opened of [first, ...others]) windows.remove(opened);

  expect(broken).toEqual(["first"]);
}, 10_000);
