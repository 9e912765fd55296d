/** Traces that are not answered as recorded although no difference has a number for it, and why, by the id of the trace. */
export const disputed: Readonly<Record<string, string>> = {
  "au-060": "a route that names a scheme and says AllowAnonymous: true contradicts itself, and must not start",
  "au-064": "a route that names a scheme and says AllowAnonymous: true contradicts itself, and must not start",
  "au-185": "a token beside the key that was verified travels on unverified, which no locked route lets it",
  "dy-038": "a provider of the host's own is named exactly, and a name that differs only in case stops the start",
};
