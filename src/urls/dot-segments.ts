// A piece ends at a slash or backslash, raw or encoded; of a piece, only what stands before a semicolon counts.
const dotSegment = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:$|[/\\;]|%2f|%5c|%3b)/i;

/** Whether anything behind the gateway could read a `.` or `..` segment in a path, which would lead elsewhere. */
export function holdsDotSegment(path: string): boolean {
  return dotSegment.test(path);
}
