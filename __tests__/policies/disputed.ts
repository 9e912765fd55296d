/** Traces that are not answered as recorded although no difference has a number for it, and why, by the id of the trace. */
export const disputed: Readonly<Record<string, string>> = {
  "au-060": "AllowAnonymous: true beside a scheme on the same route is an error, as is any lock that opens itself",
  "au-064": "AllowAnonymous: true beside a scheme on the same route is an error, as is any lock that opens itself",
  "au-185": "of several credentials only the one that was verified travels on, and a token beside a good key is none",
  "dy-038": "a provider of the host's own is named exactly, and a name that differs only in case stops the start",
};
