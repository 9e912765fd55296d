import { describe, expect, test } from "@jest/globals";
import { ConfigError, parseConfig } from "../../src/index.ts";

function textFrom(written: string, environment?: Record<string, string>): string | null | undefined {
  const { routes } = parseConfig(
    {
      Routes: [
        {
          UpstreamPathTemplate: "/{rest}",
          DownstreamPathTemplate: "/{rest}",
          DownstreamHostAndPorts: [{ Host: "a.internal" }],
          Metadata: { text: written },
        },
      ],
    },
    { logger: false, ...(environment && { environment }) },
  );
  return routes[0]?.Metadata?.text;
}

function codesOf(written: string): string[] {
  try {
    textFrom(written, {});
    return [];
  } catch (error) {
    return (error as ConfigError).problems.map(({ code }) => code);
  }
}

describe("variables in texts", () => {
  const environment = { NAME: "value", EMPTY: "", NESTED: "${NAME}", DOLLARS: "$& $1 $$" };
  test.each([
    ["plain", "plain"],
    ["${NAME}", "value"],
    ["a${NAME}b${NAME}c", "avaluebvaluec"],
    ["${EMPTY}", ""],
    ["${EMPTY:-default}", "default"],
    ["${ABSENT:-default}", "default"],
    ["${ABSENT:-}", ""],
    ["${ABSENT:-/v1/{id}/{x}}", "/v1/{id}/{x}"],
    ["${ABSENT:-a:-b}", "a:-b"],
    ["$${NAME}", "${NAME}"],
    ["$$${NAME}", "$${NAME}"],
    ["$NAME $ {NAME}", "$NAME $ {NAME}"],
    ["${NESTED}", "${NAME}"],
    ["${DOLLARS}", "$& $1 $$"],
  ])("%j becomes %j", (written, expected) => {
    expect(textFrom(written, environment)).toBe(expected);
  });

  test("stay as they are where no environment is given", () => {
    expect(textFrom("${NAME} ${")).toBe("${NAME} ${");
  });

  test.each([
    ["${ABSENT}", ["variable-unset"]],
    ["${toString}", ["variable-unset"]],
    ["${__proto__}", ["variable-unset"]],
    ["${ABSENT} ${MISSING}", ["variable-unset", "variable-unset"]],
    ["${", ["variable-ill-formed"]],
    ["${}", ["variable-ill-formed"]],
    ["${1ST}", ["variable-ill-formed"]],
    ["${A-B}", ["variable-ill-formed"]],
    ["${NAME", ["variable-ill-formed"]],
  ])("%j is refused as %j", (written, codes) => {
    expect(codesOf(written)).toEqual(codes);
  });
});
