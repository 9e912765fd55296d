import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { findValues } from "../../src/secrets/find-secret-values.ts";
import { maskSpans } from "../../src/secrets/spans.ts";
import { maskValues, redactAsked, redactSent } from "../../src/secrets/redact.ts";

const spellings: Readonly<Record<string, (text: string) => string>> = {
  raw: (text) => text,
  encoded: (text) => encodeURIComponent(text),
  "encoded twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  "every byte of it encoded": (text) => Buffer.from(text).toString("hex").replace(/../g, "%$&"),
  "as a form": (text) => encodeURIComponent(text).replaceAll("%20", "+"),
  "in capitals": (text) => text.toUpperCase(),
};

const secretText = fc
  .array(fc.constantFrom(...Array.from("abcdefghijklmnop0123456789 +-_.~()!*'")), { minLength: 4, maxLength: 40 })
  .map((letters) => letters.join(""))
  .filter((text) => /[a-z0-9]{2}/.test(text) && !/[q-z]/.test(text));

// Of other letters than secrets are made of.
const innocentText = fc
  .array(fc.constantFrom(...Array.from("qrstuvwxyz/?&=%.")), { maxLength: 40 })
  .map((letters) => letters.join("").replaceAll("%", "%zz"));

const route = { UpstreamPathTemplate: "/by/{token}/x/{rest}", DownstreamPathTemplate: "/t/{rest}/{token}" };

describe("masking", () => {
  test("leaves no secret in any spelling between others", () => {
    fc.assert(
      fc.property(
        secretText,
        innocentText,
        innocentText,
        fc.constantFrom(...Object.keys(spellings)),
        (secret, before, after, name) => {
          const spelt = spellings[name]!(secret);
          expect(maskValues(`${before}/${spelt}/${after}`, [secret])).toBe(`${before}/***/${after}`);
        },
      ),
    );
  });

  test("leaves texts alone that do not hold the secret", () => {
    fc.assert(
      fc.property(secretText, innocentText, (secret, text) => {
        expect(maskValues(text, [secret])).toBe(text);
      }),
    );
  });

  test("masks exactly the place of a value in a path, whatever the value", () => {
    const segment = fc.string({ minLength: 1, maxLength: 30, unit: fc.constantFrom(...Array.from("abx%25+.;t*\\(é")) });
    fc.assert(
      fc.property(segment, fc.constantFrom("", "x", "x/y"), (token, rest) => {
        const values = { captured: { token, rest }, current: { token, rest } };
        const asked = redactAsked(`/by/${token}/x/${rest}`, route, values);
        expect(asked.startsWith("/by/***/x/")).toBe(true);
        expect(redactSent(`http://a:1/t/${rest}/${token}`, route, values).endsWith("/***")).toBe(true);
      }),
    );
  });
});

describe("many values", () => {
  const between = (minLength: number, maxLength: number) =>
    fc.string({ minLength, maxLength, unit: fc.constantFrom("a", "b", "/", "%61") });

  test("are each found in a text that holds several, one within the other", () => {
    const search = { wholePieces: true };
    fc.assert(
      fc.property(fc.array(between(1, 12), { maxLength: 8 }), between(0, 60), (values, text) => {
        const oneByOne = maskSpans(
          text,
          values.flatMap((value) => findValues(text, [value], search)),
        );
        expect(maskSpans(text, findValues(text, values, search))).toBe(oneByOne);
      }),
    );
  });
});
