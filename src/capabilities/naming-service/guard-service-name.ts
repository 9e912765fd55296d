import { RequestError } from "../../errors.ts";
import { splitQuery } from "../../urls/client-query.ts";
import { holdsDotSegment } from "../../urls/dot-segments.ts";
import { pathOf, queryOf } from "../../urls/path-and-query.ts";

/** What the path of a target must keep when it goes to the naming service. */
export type ServiceGuard = Readonly<{
  /** How many segments the service name has. */
  segments: number;
  /** Whether the client, or a delegating handler, may name another service in the query. */
  allowNameParameter: boolean;
}>;

// What a value may not bring into a service name: separators, control characters, what is still an escape.
const leavesItsSegment = /[/\\?#\u0000-\u001f\u007f]/;
const escapeSequence = /%[0-9A-Fa-f]{2}/;
// The naming service cuts a name at these, but not in the application's two first segments.
const cutsTheName = /[$+|~]/;

/** Refuses a value that would leave its segment of the service name. */
export function guardServiceNameValue(value: string): void {
  const decoded = decodeOnce(value);
  if (leavesItsSegment.test(value) || leavesItsSegment.test(decoded) || escapeSequence.test(decoded)) {
    throw new RequestError(
      "service-name-value",
      "A part of the path that names a service holds characters that no service name has.",
    );
  }
}

/** Refuses a filled service name that the naming service would read as another one. */
export function guardServiceName(serviceName: string): void {
  if (isServiceName(serviceName)) return;
  throw new RequestError(
    "service-name-value",
    "The request leads to a service name that the naming service would read as another one.",
  );
}

/** Whether the naming service reads a service name as it is written. */
export function isServiceName(text: string): boolean {
  return text
    .split("/")
    .every((segment, index) => segment !== "" && !isCut(segment, index) && !holdsDotSegment(segment));
}

/** Whether the naming service cuts a name in one of its segments, by what stands there or is escaped there. */
export function isCut(segment: string, index: number): boolean {
  return index >= 2 && (cutsTheName.test(segment) || cutsTheName.test(decodeOnce(segment)));
}

/** Refuses a target that a delegating handler has led to another service. */
export function guardServiceTarget(target: string, guard: ServiceGuard): void {
  guardServiceName(
    pathOf(target)
      .split("/")
      .slice(1, 1 + guard.segments)
      .join("/"),
  );
  if (guard.allowNameParameter) return;
  if (splitQuery(queryOf(target) ?? "").some(({ name }) => name === "ServiceName")) refuseServiceNameParameter();
}

/** Refuses the parameter by which the naming service lets a client choose any service. */
export function refuseServiceNameParameter(): never {
  throw new RequestError(
    "service-name-parameter",
    'The query parameter "ServiceName" may not be sent: it would choose another service.',
  );
}

function decodeOnce(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
