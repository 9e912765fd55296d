/** The looks of the page: dark and light as the system says; contrasts of at least 4.5 to 1. */
export const style = `:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f4f5f7; --ink: #1a1d21; --quiet: #55606d; --line: #c9ced6;
  --accent: #0b57a4; --good: #12652f; --bad: #a3161b; --odd: #7a4b00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #15181c; --raised: #1f242a; --ink: #e8eaed; --quiet: #a5afbb; --line: #3c444e;
    --accent: #7db8ff; --good: #7fd69b; --bad: #ff9a94; --odd: #f0c26b;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 90rem; padding: 1rem 1.5rem 3rem; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 0 1.5rem; align-items: baseline; border-bottom: 1px solid var(--line); }
h1 { font-size: 1.4rem; margin: 0.5rem 0; }
h2 { font-size: 1.15rem; margin: 1.75rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 1rem 0 0.25rem; }
p { margin: 0.35rem 0; }
#state, #counts, .note { color: var(--quiet); }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; background: var(--ground); padding: 0.25rem 0.5rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
form { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; background: var(--raised); padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 6px; }
.field { display: flex; flex-direction: column; margin: 0; }
.grow { flex: 1 1 20rem; }
.wide { flex: 1 1 100%; }
.bar { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; }
label { font-size: 0.875rem; color: var(--quiet); }
input, textarea, button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: 4px; padding: 0.25rem 0.5rem; }
input, textarea, code, td, pre { font-family: ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace; font-size: 0.875rem; }
button { cursor: pointer; align-self: flex-start; }
button[type="submit"] { background: var(--accent); color: var(--ground); border-color: var(--accent); padding: 0.3rem 1.25rem; }
button[aria-pressed="true"] { border-color: var(--odd); color: var(--odd); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.graphs { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 0.75rem 1rem; }
figure { margin: 0; } figcaption { font-size: 0.875rem; color: var(--quiet); }
svg { display: block; width: 100%; height: 6rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; }
.stroke { fill: none; stroke-width: 2; stroke: var(--accent); } .wrong { stroke: var(--bad); } .faint { stroke: var(--odd); opacity: 0.6; }
.scroll { overflow: auto; max-height: 26rem; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding: 0.35rem 0.6rem; color: var(--quiet); font-size: 0.875rem; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.6rem; border-top: 1px solid var(--line); }
thead th { position: sticky; top: 0; background: var(--raised); font-size: 0.8125rem; white-space: nowrap; }
td { overflow-wrap: anywhere; }
td button { font-size: 0.8125rem; padding: 0 0.4rem; }
.number { text-align: right; white-space: nowrap; }
.short { white-space: nowrap; overflow-wrap: normal; }
td:not(.short, .number) { min-width: 5.5rem; }
.good { color: var(--good); } .bad { color: var(--bad); } .odd { color: var(--odd); } .quiet { color: var(--quiet); }
.answer { font-weight: 600; margin: 0.75rem 0; overflow-wrap: anywhere; }
ol.routes { margin: 0; padding-left: 2.5rem; } ol.routes li { margin: 0.2rem 0; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; margin: 0; }
dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: 0.875rem; }
@media (max-width: 40rem) { body { padding: 0.5rem 0.75rem 2rem; } dl { grid-template-columns: 1fr; } dd { margin-bottom: 0.35rem; } }
`;

/** The icon of the page. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#0b57a4" d="M7 1h2v2h5l2 2-2 2H9v8H7V7H2V3h5z"/></svg>
`;
