import { byteCount, count, seconds } from "../../schema/values.ts";
import { defineSection, scalar, section, type ValuesOf } from "../../schema/key.ts";

/** The section `Limits`. */
const limitsSection = defineSection(
  { name: "limits", heading: "Limits" },
  {
    Body: scalar(byteCount, { type: "bytes", means: "The longest request body (413)", otherwise: "none" }),
    Url: scalar(count, { type: "characters", means: "The longest URL (414)", otherwise: "8192" }),
    Header: scalar(count, { type: "bytes", means: "The largest header (431)", otherwise: "the server's" }),
    Concurrent: scalar(count, { type: "count", means: "Requests at the same time (503)", otherwise: "none" }),
    Connect: scalar(seconds, { type: "seconds", means: "How long a connection may take (504)", otherwise: "5" }),
    Upload: scalar(seconds, { type: "seconds", means: "How long an upload may stand still (408)", otherwise: "60" }),
    Download: scalar(seconds, {
      type: "seconds",
      means: "How long a client may take nothing of its answer before it is cut off",
      otherwise: "none; 60 in `waymark serve`",
    }),
    Sockets: scalar(count, { type: "count", means: "WebSockets at the same time (503)", otherwise: "none" }),
    Idle: scalar(seconds, {
      type: "seconds",
      means: "How long a WebSocket may be silent before it is closed",
      otherwise: "none",
    }),
  },
);

/** Limits of one route, or of all: bytes, counts, seconds. */
export type LimitsConfig = ValuesOf<(typeof limitsSection)["keys"]>;

/** What a request may take: bytes, counts, seconds. */
export const limitKeys = {
  route: {
    Limits: section(limitsSection, {
      type: "object",
      means: "Limits of the route",
      otherwise: "global, else the gateway's option",
      problems: ["lock-value-empty"],
      restricts: true,
    }),
  },
  global: {
    Limits: section(limitsSection, {
      type: "object",
      means: "Limits of each route without its own",
      otherwise: "the gateway's option",
      problems: ["lock-value-empty"],
      restricts: true,
    }),
  },
} as const;
