/** The part of a URL in which a value stood, or into which it goes. */
export type Component = "path" | "query";

/** Where a value comes from; one that middleware has set is like one from a header, a rest is several parameters. */
export type ValueOrigin = Component | "header" | "rest";

// A % that begins no escape, or a character that the component cannot hold.
const loneOrOutside = (allowed: string): RegExp => new RegExp(`%(?![0-9A-Fa-f]{2})|[^%${allowed}]`, "gu");

const unreserved = "A-Za-z0-9\\-._~";
const pathCharacters = loneOrOutside(`${unreserved}!$&'()*+,;=:@`);
const unreservedCharacters = loneOrOutside(unreserved);
const onlyUnreserved = new RegExp(`^[${unreserved}]*$`);
// What a path may hold and a query may not, unless it begins a parameter: & = + # ; blanks, non-ASCII.
const queryCharacters = loneOrOutside("!\"$'()*,\\-./0-9:<>?@A-Z\\[\\\\\\]^_`a-z{|}~");

// Characters that would end a parameter whose value is made of several parameters.
const severalParameters = /[^!-~]|[&#;]/g;

/** How a value is written that leaves its component; a value that stays is inserted byte for byte. */
const crossings: Readonly<Record<ValueOrigin, Readonly<Record<Component, ((value: string) => string) | undefined>>>> = {
  path: { path: undefined, query: (value) => escapeBytes(value, queryCharacters) },
  query: { path: (value) => escapeBytes(value.replaceAll("+", "%20"), pathCharacters), query: undefined },
  rest: { path: undefined, query: (value) => escapeBytes(value, severalParameters) },
  header: {
    path: (value) => escapeBytes(value, pathCharacters),
    query: (value) => escapeBytes(value, unreservedCharacters),
  },
};

/** Writes a client's value for the component it goes into. */
export function encodeValue(value: string, origin: ValueOrigin, component: Component): string {
  const encode = crossings[origin][component];
  return encode === undefined ? value : encode(value);
}

/** Writes a value that middleware has set: any text, not a client's bytes. */
export function encodeAssignedValue(value: string, component: Component): string {
  if (onlyUnreserved.test(value)) return value;
  const outside = component === "path" ? pathCharacters : unreservedCharacters;
  return value.toWellFormed().replace(outside, (character) => escape(Buffer.from(character, "utf8")));
}

const escapes: readonly string[] = Array.from({ length: 256 }, (_, byte) => escape(Buffer.of(byte)));

// Node hands over the client's bytes as one character each. There may be thousands of them.
function escapeBytes(value: string, outside: RegExp): string {
  return value.replace(outside, (character) => escapes[character.charCodeAt(0) & 0xff]!);
}

function escape(bytes: Buffer): string {
  return bytes.toString("hex").toUpperCase().replace(/../g, "%$&");
}
