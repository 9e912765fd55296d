/** Whether the head of a message, names in lower case, tells of a body that has bytes. */
export function tellsOfBytes(headers: Readonly<Record<string, unknown>>): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}
