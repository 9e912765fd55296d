import { type ErrorCode, RequestError } from "../errors.ts";
import { hostHeaders, isPlainAuthority, isWellFormedHost } from "../routing/host-header.ts";
import { pathFaults } from "../urls/path-faults.ts";
import type { RequestTarget } from "../urls/request-target.ts";

type Judgement = Readonly<{
  code: ErrorCode;
  message: string;
  refuses: (target: RequestTarget, hosts: readonly string[], mountPath: string) => boolean;
}>;

const controlCharacter = /[\0-\x1f\x7f]/;

/** In order: the first that refuses is the answer. */
const judgements: readonly Judgement[] = [
  ...pathFaults.map(({ code, what, isIn }): Judgement => ({
    code,
    message: `The path holds ${what}.`,
    // Services hear of the path below which the gateway is mounted, and some of that a client may have chosen, too.
    refuses: ({ path }, _hosts, mountPath) => isIn(path) || (mountPath !== "" && isIn(mountPath)),
  })),
  {
    code: "path-fragment",
    message: 'The path holds a raw "#"; as part of a path it is sent as %23.',
    refuses: ({ path }) => path.includes("#"),
  },
  {
    code: "query-control-character",
    message: "The query holds a raw control character.",
    refuses: ({ query }) => query !== undefined && controlCharacter.test(query),
  },
  {
    code: "host-invalid",
    message: "The request has two Host headers, or one that is no host with an optional port.",
    refuses: (_, hosts) => hosts.length > 1 || !hosts.every(isWellFormedHost),
  },
  {
    code: "host-mismatch",
    message: "The host of the request line is not that of the Host header.",
    refuses: ({ authority }, hosts) => authority !== undefined && authority.toLowerCase() !== hosts[0]?.toLowerCase(),
  },
  {
    code: "host-invalid",
    message: "The request line names no host, or one behind which not everybody reads the same path.",
    refuses: ({ authority }) => authority !== undefined && !isPlainAuthority(authority),
  },
];

/**
 * Why a matched request must not be forwarded; undefined when nothing speaks against it. The path is judged as the
 * client sent it, so that nothing depends on who decodes it first.
 */
export function judgeRequestTarget(
  target: RequestTarget,
  rawHeaders: readonly string[],
  mountPath = "",
): RequestError | undefined {
  const hosts = hostHeaders(rawHeaders);
  const judgement = judgements.find(({ refuses }) => refuses(target, hosts, mountPath));
  return judgement === undefined ? undefined : new RequestError(judgement.code, judgement.message);
}
