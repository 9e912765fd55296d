/** Flags of Node for a process that starts sooner; its workers have them, too. */
export const loadingPacked = ["--import", new URL("packed-programs.js", import.meta.url).href] as const;
