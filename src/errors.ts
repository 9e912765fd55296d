/** Every error code of the package with the status a client gets. docs/errors.md has one row for each. */
export const errorCodes = {
  "config-invalid": 500,
  "not-a-config": 500,
  "option-invalid": 500,
  "name-unknown": 500,
  "peer-missing": 500,
  "reload-without-routes": 500,
  "reload-unlocks": 500,
  "metadata-invalid": 500,
  "handler-misuse": 500,
  "body-consumed": 500,
  "authentication-required": 401,
  "address-refused": 403,
  "scope-missing": 403,
  "claim-missing": 403,
  "claim-unfit": 403,
  "claim-refused": 403,
  "origin-refused": 403,
  "no-route": 404,
  "path-dot-segment": 400,
  "path-control-character": 400,
  "path-escape": 400,
  "path-fragment": 400,
  "query-control-character": 400,
  "host-invalid": 400,
  "host-mismatch": 400,
  "target-invalid": 400,
  "service-name-value": 400,
  "service-name-parameter": 400,
  "client-parameter": 400,
  "parameters-too-many": 400,
  "upgrade-with-body": 400,
  "request-ill-formed": 400,
  "body-too-deep": 400,
  "body-number-too-large": 400,
  "upload-stalled": 408,
  "request-timeout": 408,
  "body-too-large": 413,
  "url-too-long": 414,
  "rate-limited": 429,
  "header-too-large": 431,
  "client-gone": 499,
  "download-stalled": 499,
  "transfer-coding-unsupported": 501,
  "aggregate-upgrade": 501,
  "upstream-refused": 502,
  "upstream-unreachable": 502,
  "upstream-not-found": 502,
  "upstream-reset": 502,
  "upstream-ill-formed": 502,
  "upstream-tls": 502,
  "upgrade-not-accepted": 502,
  "redirect-with-body": 502,
  "part-failed": 502,
  "part-ill-formed": 502,
  "aggregate-too-many": 502,
  "document-unavailable": 502,
  "document-ill-formed": 502,
  overloaded: 503,
  closing: 503,
  "circuit-open": 503,
  "no-instances": 503,
  "discovery-unavailable": 503,
  "authentication-unavailable": 503,
  "limit-unavailable": 503,
  "connect-timeout": 504,
  "answer-timeout": 504,
  "not-cached": 504,
  "http2-unsupported": 505,
} as const satisfies Record<string, number>;

/** The stable code of a {@link GatewayError}. */
export type ErrorCode = keyof typeof errorCodes;

type ErrorDetails = Readonly<{ cause?: unknown; headers?: Readonly<Record<string, string>> }>;

/** What a configuration says that clients get in place of the gateway's own words. */
type ConfiguredAnswer = Readonly<{ status: number; text?: string }>;

/** What every error of the package is: a stable `code`, and `status`, `headers` and `expose` as Express reads them. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly statusCode: number;
  readonly expose: boolean;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.status = errorCodes[code];
    this.statusCode = this.status;
    this.expose = this.status !== 500;
    this.headers = details.headers ?? {};
  }
}

/** Errors that one request causes keep a stack of one line: where the gateway noticed says nothing, and traces cost time. */
class RequestTimeError extends GatewayError {
  constructor(code: ErrorCode, message: string, details?: ErrorDetails) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(code, message, details);
    Error.stackTraceLimit = limit;
    this.stack = `${this.name}: ${message}`;
  }
}

/** A refusal whose status or text the configuration says: the gateway answers it, whatever error handlers the app has. */
export class ConfiguredRefusal extends RequestTimeError {
  declare readonly status: number;
  declare readonly statusCode: number;
  /** Plain text; undefined where only the status is configured. */
  readonly text: string | undefined;

  constructor(code: ErrorCode, message: string, { status, text, ...details }: ErrorDetails & ConfiguredAnswer) {
    super(code, message, details);
    Object.assign(this, { status, statusCode: status });
    this.text = text;
  }
}

/** The request itself is at fault: 400, 408, 413, 414, 431, 501, 504 or 505. */
export class RequestError extends RequestTimeError {}

/** The upstream is at fault: 502 or 504. */
export class UpstreamError extends RequestTimeError {}

/** The gateway takes no more requests at the moment: 503. */
export class OverloadError extends RequestTimeError {}

/** A part of an aggregate was refused by the gateway, or could not be asked: the status is that of the `cause`. */
export class PartError extends RequestTimeError {
  declare readonly status: number;
  declare readonly statusCode: number;
  /** The `Key` of the part. */
  readonly part: string;

  constructor(part: string, cause: GatewayError) {
    const { status, headers, message } = cause;
    super("part-failed", `The part ${JSON.stringify(part)} failed: ${message}`, { cause, headers });
    Object.assign(this, { status, statusCode: status, expose: cause.expose });
    this.part = part;
  }
}

/** The body of the request was read by something that kept nothing that could be sent again: 500. */
export class BodyConsumedError extends RequestTimeError {}

/** A metadata value that does not fit the type it is read as. */
export class MetadataError extends GatewayError {
  readonly route: string;
  readonly key: string;
  readonly type: string;
  readonly value: string;
  readonly reason: MetadataFailure;

  constructor(message: string, failure: MetadataFailureDetails) {
    super("metadata-invalid", message, { cause: failure.cause });
    this.route = failure.route;
    this.key = failure.key;
    this.type = failure.type;
    this.value = failure.value;
    this.reason = failure.reason;
  }
}

/** Why a metadata value was refused, in .NET's words: ill-formed, out of range, or a style the type does not allow. */
export type MetadataFailure = "format" | "overflow" | "argument";

/** What a {@link MetadataError} tells about the value. */
type MetadataFailureDetails = Readonly<{
  route: string;
  key: string;
  type: string;
  value: string;
  reason: MetadataFailure;
  cause?: unknown;
}>;

/** One thing that is wrong, or doubtful, in a configuration. */
export type ConfigProblem = Readonly<{
  /** Stable, e.g. `placeholder-missing`; documented in docs/errors.md. */
  code: string;
  /** JSON path of the offending value, e.g. `Routes[3].ServiceName`. */
  path: string;
  /** What was found, what was expected, and what to do. */
  message: string;
  file?: string;
  line?: number;
  column?: number;
}>;

/** A configuration that was refused, with every problem it has. */
export class ConfigError extends GatewayError {
  readonly problems: readonly ConfigProblem[];

  constructor(message: string, problems: readonly ConfigProblem[], cause?: unknown) {
    super("config-invalid", message, { cause });
    this.problems = problems;
  }
}
