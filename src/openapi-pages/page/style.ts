/** What this page needs besides what all pages of the gateway look like. */
export const ownStyle = `select { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: 4px; padding: 0.25rem 0.5rem; }
details { border: 1px solid var(--line); border-radius: 6px; margin: 0.35rem 0; }
summary { cursor: pointer; padding: 0.35rem 0.75rem; overflow-wrap: anywhere; }
details > :not(summary) { margin-left: 0.75rem; margin-right: 0.75rem; }
details form { margin: 0.5rem 0.75rem; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 600; font-family: ui-monospace, monospace; color: var(--accent); }
.text { white-space: pre-line; overflow-wrap: anywhere; }
pre { overflow: auto; max-height: 26rem; background: var(--raised); padding: 0.5rem 0.75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
`;
