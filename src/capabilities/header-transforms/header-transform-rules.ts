import type { Report } from "../../config/problems/problem-list.ts";
import type { ConfigRule, RouteRule } from "../../config/rules/rule.ts";
import { findTransformNameFault } from "../../headers/header-name.ts";
import { readChange, type Change, type Direction } from "../../headers/transforms/change.ts";
import { quote } from "../../json/json-node.ts";
import { locate, type Place } from "../../json/place.ts";
import type { HeaderTransform } from "../../schema/key.ts";

type Transforms = Readonly<Record<string, HeaderTransform>>;
type Transforming = Readonly<{
  UpstreamHeaderTransform?: Transforms | undefined;
  DownstreamHeaderTransform?: Transforms | undefined;
}>;

const keys = [
  ["UpstreamHeaderTransform", "request"],
  ["DownstreamHeaderTransform", "answer"],
] as const;

/** What a route does with headers is what headers can be. */
export const checkTransforms: RouteRule = function checkTransforms({ config, place }, report) {
  checkBoth(config, place, report);
};

/** The same for all routes. */
export const checkGlobalTransforms: ConfigRule = function checkGlobalTransforms({ global, report }) {
  checkBoth(global.config, global.place, report);
};

function checkBoth(config: Transforming, place: Place, report: Report): void {
  for (const [key, direction] of keys) {
    const transforms = config[key];
    if (transforms === undefined) continue;
    for (const [name, transform] of Object.entries(transforms)) {
      const at = (): Place => locate(place, [key, name]);
      checkName(name, direction, (code, message) => report(code, at(), message));
      const fault = findFault(readChange(transform, direction));
      if (fault !== undefined) report("transform-invalid", at(), fault);
    }
  }
}

type Tell = (
  code: "header-name-invalid" | "header-name-reserved" | "transform-without-effect",
  message: string,
) => void;

function checkName(name: string, direction: Direction, tell: Tell): void {
  const fault = findTransformNameFault(name);
  if (fault === "invalid") tell("header-name-invalid", `expected the name of a header, found ${quote(name)}`);
  if (fault === "reserved") {
    const expected = "expected a header that speaks neither of one connection nor of how a body is framed";
    tell("header-name-reserved", `${expected}, found ${quote(name)}: the gateway writes it itself`);
  }
  if (direction === "request" && name.toLowerCase() === "host")
    tell("transform-without-effect", "every host that is asked gets its own name as Host: remove this");
}

const unfit = /[^\t -~]/;

function findFault(change: Change): string | undefined {
  const texts = change.does === "replace" ? [change.find, change.text] : [change.text];
  const odd = texts.find((text) => unfit.test(text));
  if (odd !== undefined) return `expected visible ASCII, as headers are written, found ${quote(odd)}`;
  return change.does === "replace" && change.find === ""
    ? "expected a text to find before the comma: an empty one is everywhere; write an object with Set or Append"
    : undefined;
}
