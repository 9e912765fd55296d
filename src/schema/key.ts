import type { z } from "zod";
import { texts } from "./values.ts";
import type { ProblemCode } from "./problem-codes.ts";

/** What is said of a key: in editors, and in the tables of docs/configuration.md and docs/coming-from-ocelot.md. */
type KeyFacts = Readonly<{
  /** What its value is, in a word or two; Markdown, like the next two. */
  type: string;
  means: string;
  /** What holds without it; `code` where that is a value. */
  otherwise: string;
  examples?: readonly unknown[];
  /** The codes of what a configuration may be told about it. */
  problems?: readonly ProblemCode[];
  /** How it differs from Ocelot's key of this name, or "same"; undefined where Ocelot has no such key. */
  ocelot?: string;
  /** A number of 0, which tools write for what nobody set, or a text of blanks counts as absent, too. */
  absent?: "zero" | "blank";
  /** Guards something: only all of it may be empty, and none of it may be unknown. */
  isLock?: true;
  /** A member that code gave the value `undefined` counts as an empty one: it may be what the lock was to ask for. */
  countsUnset?: true;
  /** Restricts what passes: what a variable made empty of it is an error, as it would restrict nothing. */
  restricts?: true;
  /** Its value is not shown; with a form, only a value of that form is, as any other may be a secret put there by mistake. */
  isSecret?: true | Readonly<{ unless: RegExp }>;
  /** A text in place of its objects is not shown, but of a form, as it may be the secret that one of them is to describe. */
  textIsSecret?: Readonly<{ unless: RegExp }>;
  /** How an item of its list looks, for whoever has written something else. */
  itemForm?: string;
  /** Names a file: a relative path starts at the file of the configuration in which it stands. */
  isPath?: true;
}>;

/**
 * How the value of a key is read: one scalar, an enumeration word, a list of scalars, methods, a section, a list of them or
 * several by free name, metadata, texts by free name, expressions or values by the names of claims, the routes (read one by
 * one), anything at all, or what is left alone.
 */
type KeyForm =
  | Readonly<{ kind: "scalar" | "word" | "list" | "methods"; schema: z.ZodType }>
  | Readonly<{ kind: "section" | "sections" | "record" | "routes"; section: Section }>
  | Readonly<{
      kind:
        | "metadata"
        | "headerTemplates"
        | "headerTransforms"
        | "claimExpressions"
        | "claimValues"
        | "ignored"
        | "anything"
        | "exact";
    }>;

declare const read: unique symbol;

/** One key of a configuration: all that is known of it derives from here. */
export type Key<Value = unknown> = KeyForm & KeyFacts & Readonly<{ isRequired?: true; [read]?: Value }>;

/** A key without which its object lacks something. */
type RequiredKey<Value = unknown> = Key<Value> & Readonly<{ isRequired: true }>;

/** The keys of one kind of object. */
export type Keys = Readonly<Record<string, Key>>;

/** One kind of object that a configuration is made of. */
export type Section<Own extends Keys = Keys> = SectionFacts & Readonly<{ keys: Own }>;

type SectionFacts = Readonly<{
  name: string;
  /** The heading in docs/configuration.md below which its keys stand. */
  heading: string;
  /** A member that is present counts even if it is empty. */
  keepsEmpty?: true;
  /** Guards something: a key of it that is not known is an error. */
  isLock?: true;
}>;

type RequiredNames<Own extends Keys> = {
  [Name in keyof Own]: Own[Name] extends RequiredKey ? Name : never;
}[keyof Own];

type ValueOf<Own> = Own extends Key<infer Value> ? Value : never;

type Flat<Values> = { readonly [Name in keyof Values]: Values[Name] };

/** The values of an object by key, once they are read. */
export type ValuesOf<Own extends Keys> = Flat<
  { [Name in RequiredNames<Own>]: ValueOf<Own[Name]> } & {
    [Name in Exclude<keyof Own, RequiredNames<Own>>]?: ValueOf<Own[Name]> | undefined;
  }
>;

/** Describes one kind of object. */
export function defineSection<const Own extends Keys>(facts: SectionFacts, keys: Own): Section<Own> {
  return { ...facts, keys };
}

/** Which routes a global section holds for. */
export const routeKeys: Key<readonly string[]> = {
  kind: "list",
  schema: texts,
  type: "list of texts",
  means: "The `Key`s of the routes that the section holds for; in `GlobalConfiguration` only",
  otherwise: "all routes",
  examples: [["orders"]],
  problems: ["route-key-unknown"],
  ocelot: "an unknown one is refused",
};

/** A key whose value is one scalar: a text, a number, a boolean. */
export function scalar<Value>(schema: z.ZodType<Value>, facts: KeyFacts): Key<Value> {
  return { kind: "scalar", schema, ...facts };
}

/** A key whose value is one of some words. */
export function word<Value>(schema: z.ZodType<Value>, facts: KeyFacts): Key<Value> {
  return { kind: "word", schema, ...facts };
}

/** A key whose value is a list of scalars. */
export function list<Item>(schema: z.ZodType<Item[]>, facts: KeyFacts): Key<readonly Item[]> {
  return { kind: "list", schema, ...facts };
}

/** A key whose value is methods of HTTP. */
export function methods(schema: z.ZodType<string[]>, facts: KeyFacts): Key<readonly string[]> {
  return { kind: "methods", schema, ...facts };
}

/** A key whose value is an object of another kind. */
export function section<Own extends Keys>(of: Section<Own>, facts: KeyFacts): Key<ValuesOf<Own>> {
  return { kind: "section", section: of, ...facts };
}

/** A key whose value is a list of objects of another kind. */
export function sections<Own extends Keys>(of: Section<Own>, facts: KeyFacts): Key<readonly ValuesOf<Own>[]> {
  return { kind: "sections", section: of, ...facts };
}

/** A key whose value is objects of another kind by names of the user's. */
export function record<Own extends Keys>(
  of: Section<Own>,
  facts: KeyFacts,
): Key<Readonly<Record<string, ValuesOf<Own>>>> {
  return { kind: "record", section: of, ...facts };
}

/** The key of the routes, which are read one by one. */
export function routes<Own extends Keys>(of: Section<Own>, facts: KeyFacts): Key {
  return { kind: "routes", section: of, ...facts };
}

/** A key whose value is metadata: texts by name, made from any JSON. */
export function metadata(facts: KeyFacts): Key<Readonly<Record<string, string | null>>> {
  return { kind: "metadata", ...facts };
}

/** A key whose value is templates by the names of headers. */
export function headerTemplates(facts: KeyFacts): Key<Readonly<Record<string, string>>> {
  return { kind: "headerTemplates", ...facts };
}

/** A key whose value is expressions that read claims, by free name. */
export function claimExpressions(facts: KeyFacts): Key<Readonly<Record<string, string>>> {
  return { kind: "claimExpressions", countsUnset: true, ...facts };
}

/** A key whose value is texts, each of which will do, by the names of claims. */
export function claimValues(facts: KeyFacts): Key<Readonly<Record<string, readonly string[]>>> {
  return { kind: "claimValues", countsUnset: true, ...facts };
}

/** What is to be done with a header: text as Ocelot reads it, or an object that says so. */
export type HeaderTransform =
  | string
  | Readonly<{ Set: string }>
  | Readonly<{ Append: string }>
  | Readonly<{ Remove: true }>
  | Readonly<{ Find: string; Replace: string }>;

/** A key whose value is what is to be done with headers, by their names. */
export function headerTransforms(facts: KeyFacts): Key<Readonly<Record<string, HeaderTransform>>> {
  return { kind: "headerTransforms", ...facts };
}

/** A key whose value is handed on as it was written. */
export function anything(facts: KeyFacts): Key {
  return { kind: "anything", ...facts };
}

/** A key whose value is handed on with all its digits: an integer that a number cannot hold becomes a bigint. */
export function exact(facts: KeyFacts): Key {
  return { kind: "exact", ...facts };
}

/** A key whose value is the user's own, and is never looked at, however large it is. */
export function ignored(facts: KeyFacts): Key {
  return { kind: "ignored", ...facts };
}

/** The same key, for an object that lacks something without it. */
export function required<Value>(key: Key<Value>): RequiredKey<Value> {
  return { ...key, isRequired: true };
}
