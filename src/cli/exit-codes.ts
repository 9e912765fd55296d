/** The exit codes of every command. */
export const exitCodes = { fine: 0, problems: 1, usage: 2 } as const;
