import type { Row } from "./measure.ts";

const width = 760;
const labelWidth = 250;
const valueWidth = 90;
const barHeight = 22;
const gap = 8;
const top = 44;

/** A bar for each contender, the cheapest first, readable on light and dark pages. */
export function drawChart(title: string, rows: readonly Row[]): string {
  const sorted = rows.toSorted((one, other) => one.cpu - other.cpu);
  const scale = (width - labelWidth - valueWidth) / Math.max(...sorted.map(({ cpu }) => cpu));
  const height = top + sorted.length * (barHeight + gap);
  const bars = sorted.map(({ name, cpu }, index) => drawBar(name, cpu, scale, top + index * (barHeight + gap)));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}">
<style>text{font:14px system-ui,sans-serif;fill:#24292f}.title{font-weight:600}.bar{fill:#8c959f}.own{fill:#2da44e}@media(prefers-color-scheme:dark){text{fill:#e6edf3}}</style>
<text class="title" x="0" y="20">${escape(title)}</text>
${bars.join("\n")}
</svg>
`;
}

function drawBar(name: string, cpu: number, scale: number, y: number): string {
  const baseline = y + barHeight - 6;
  const length = Math.round(cpu * scale);
  return `<text x="${labelWidth - 10}" y="${baseline}" text-anchor="end">${escape(name)}</text>
<rect class="bar${name.startsWith("waymark") ? " own" : ""}" x="${labelWidth}" y="${y}" width="${length}" height="${barHeight}" rx="3"/>
<text x="${labelWidth + length + 8}" y="${baseline}">${cpu.toFixed(1)}</text>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (found) => `&#${found.charCodeAt(0)};`);
}
