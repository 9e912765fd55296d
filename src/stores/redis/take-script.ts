import { hash } from "node:crypto";
import { longestSpan, type Taken, type Taking } from "../store.ts";

/*
 * A count is a number that vanishes when its period ends: Redis's clock alone decides, and what is left of the number's
 * life is what is left of the period. A number above the limit says that the client has been refused, which is when a
 * wait begins. A value that is no such number is none.
 */
const source = `
local answer = {}
for index, key in ipairs(KEYS) do
  local first = 4 * index - 3
  local limit, period, wait = tonumber(ARGV[first]), ARGV[first + 1], ARGV[first + 2]
  local takes = ARGV[first + 3] == "1"
  local found = redis.pcall("GET", key)
  local count = type(found) == "string" and #found < 17 and string.match(found, "^%d+$") and tonumber(found)
  local left = count and redis.call("PTTL", key) or -1
  if left < 0 then
    count, left = 0, tonumber(period)
    if takes then
      count = 1
      redis.call("SET", key, 1, "PX", period)
    end
  elseif takes and count <= limit then
    count = count + 1
    redis.call("INCR", key)
    if count > limit and wait ~= "0" then
      left = tonumber(wait)
      redis.call("PEXPIRE", key, wait)
    end
  end
  answer[2 * index - 1], answer[2 * index] = count, left
  if count > limit then
    break
  end
end
return answer
`;

/** The script that takes of one count after the other, and the name under which Redis remembers it. */
export const takeScript = { source, sha1: hash("sha1", source) } as const;

/** What the script is called with. */
export function argumentsOf(takings: readonly Taking[]): string[] {
  return takings.flatMap(({ quota: { limit, period, wait }, amount }) => {
    return [limit, wholeMilliseconds(period), wait === 0 ? 0 : wholeMilliseconds(wait), amount].map(String);
  });
}

function wholeMilliseconds(span: number): number {
  return Math.min(longestSpan, Math.max(1, Math.ceil(span)));
}

/** What the script has answered: two numbers for each count that was asked. */
export function readAnswer(answer: unknown, takings: readonly Taking[]): readonly Taken[] {
  const numbers = Array.isArray(answer) ? answer.map(Number) : [];
  const asked = numbers.length / 2;
  if (!(asked >= 1 && asked <= takings.length) || !numbers.every(Number.isFinite)) {
    throw new TypeError("Redis has answered something else than counts.");
  }
  return takings.slice(0, asked).map(({ quota: { limit } }, index) => {
    return describeCount(numbers[2 * index]!, numbers[2 * index + 1]!, limit);
  });
}

function describeCount(count: number, left: number, limit: number): Taken {
  if (count > limit) return { remaining: 0, refusedFor: left, resetsIn: left };
  return { remaining: limit - count, refusedFor: undefined, resetsIn: left };
}
