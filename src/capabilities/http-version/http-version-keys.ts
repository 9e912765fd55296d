import { scalar } from "../../schema/key.ts";
import { value } from "../../schema/values.ts";

const versions = ["1.0", "1.1", "2.0", "3.0"] as const;
const policies = ["RequestVersionExact", "RequestVersionOrHigher", "RequestVersionOrLower"] as const;

/** How a version may be written besides: without its second part, which .NET leaves out, or with a comma. */
const shortVersions: ReadonlyMap<string, (typeof versions)[number]> = new Map([
  ["1", "1.1"],
  ["2", "2.0"],
  ["3", "3.0"],
]);

const details = { code: "http-version-unknown" } as const;
const form = { type: ["string", "number"], pattern: String.raw`^$|\$\{|^[123]([.,]0)?$|^1[.,]1$` };

const version = value(
  `one of ${versions.join(", ")}`,
  (written) => versions.find((one) => one === written.replace(",", ".")) ?? shortVersions.get(written),
  { ...details, form },
);

const policy = value(`one of ${policies.join(", ")}`, (written) => policies.find((one) => one === written), {
  ...details,
  words: policies,
  form: { anyOf: [{ enum: policies }, { pattern: String.raw`^$|\$\{` }] },
});

const facts = {
  version: {
    type: "`1.0` `1.1` `2.0` `3.0`",
    means: "The version of HTTP that is spoken downstream, which is 1.1",
    problems: ["http-version-unknown", "http-version-missing", "http-version-raised"],
    ocelot:
      "1.0 is sent as 1.1, with a warning; 2.0 and 3.0 stop the start, unless a lower one will do; what is none of these does, too",
  },
  policy: {
    type: "`RequestVersionExact` `RequestVersionOrHigher` `RequestVersionOrLower`",
    means: "Whether another version than `DownstreamHttpVersion` will do",
    problems: ["http-version-unknown", "http-version-missing"],
    ocelot: "a version above 1.1 that must not be lower stops the start",
  },
} as const;

/** Which version of HTTP is spoken downstream. */
export const httpVersionKeys = {
  route: {
    DownstreamHttpVersion: scalar(version, { ...facts.version, otherwise: "global, else 1.1" }),
    DownstreamHttpVersionPolicy: scalar(policy, { ...facts.policy, otherwise: "global, else `RequestVersionOrLower`" }),
  },
  global: {
    DownstreamHttpVersion: scalar(version, {
      ...facts.version,
      otherwise: "1.1",
      ocelot: `holds for written routes, too; ${facts.version.ocelot}`,
    }),
    DownstreamHttpVersionPolicy: scalar(policy, {
      ...facts.policy,
      otherwise: "`RequestVersionOrLower`",
      ocelot: `holds for written routes, too; ${facts.policy.ocelot}`,
    }),
  },
} as const;
