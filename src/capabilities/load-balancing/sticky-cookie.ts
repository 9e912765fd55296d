import { splitCookies } from "../../headers/cookies.ts";

/** What a client's cookie says: the marks of the hosts that it had, the last one first, and since when, in seconds. */
export type StickyCookie = Readonly<{ marks: readonly string[]; since: number | undefined }>;

/** What a client without a cookie shows. */
export const noCookie: StickyCookie = { marks: [], since: undefined };

const form = /^((?:[\da-f]{4}){1,8})(?:\.([\da-z]{1,8}))?$/;
/** How many digits mark a host. */
export const markLength = 4;
const mostMarks = 8;

/** The first cookie of the name that has the form of one; a client may send any text. */
export function readStickyCookie(header: string | undefined, name: string): StickyCookie | undefined {
  if (header?.includes(name) !== true) return undefined;
  for (const pair of splitCookies(header)) {
    const [, marks, since] = (pair.name === name ? form.exec(pair.value) : null) ?? [];
    if (marks !== undefined) {
      return { marks: splitMarks(marks), since: since === undefined ? undefined : Number.parseInt(since, 36) };
    }
  }
  return undefined;
}

function splitMarks(text: string): string[] {
  return Array.from({ length: text.length / markLength }, (_, index) =>
    text.slice(index * markLength, (index + 1) * markLength),
  );
}

/** The value of a cookie with one mark before those that the client had. */
export function writeStickyCookie(mark: string, { marks, since }: StickyCookie): string {
  const all = [mark, ...marks.filter((other) => other !== mark)].slice(0, mostMarks);
  return since === undefined ? all.join("") : `${all.join("")}.${since.toString(36)}`;
}

/** Whether the time of a cookie is over; all in seconds, and one without a lifetime ends with the browser. */
export function isOver({ since }: StickyCookie, lifetime: number | undefined, now: number): boolean {
  // Both moments are whole seconds, and the first may have been nearly over.
  return lifetime !== undefined && now - (since ?? now) > lifetime;
}

/** Whether half of a cookie's time is over: it is then renewed, not at each request. */
export function isHalfOver({ since }: StickyCookie, lifetime: number | undefined, now: number): boolean {
  return lifetime !== undefined && (since === undefined || now - since >= lifetime / 2);
}
