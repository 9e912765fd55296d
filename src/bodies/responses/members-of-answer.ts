/** The functions of a response that set its headers. */
export const headerSetters = ["setHeader", "setHeaders", "appendHeader", "removeHeader"] as const;

/** The functions of a response that write interim answers. */
export const interimWriters = ["writeContinue", "writeProcessing", "writeEarlyHints", "writeInformation"] as const;

/** What Node, loggers and observers read of the one answer that a response is. */
export const toldMembers = [
  ...(["statusCode", "statusMessage"] as const),
  ...(["strictContentLength", "chunkedEncoding", "shouldKeepAlive"] as const),
] as const;
