/** A table whose rows the page's script fills in. */
type ShownTable = Readonly<{
  name: string;
  title: string;
  caption: string;
  /** Those of numbers end in `#`. */
  columns: readonly string[];
  /** What stands above the table. */
  bar?: string;
}>;

const note = (name: string): string => `<p id="${name}-note" class="note"></p>\n`;

const tables: readonly ShownTable[] = [
  {
    name: "hosts",
    title: "Hosts",
    caption: "The hosts of each route, as the balancer sees them",
    columns: ["Route", "Host", "State", "Under way#", "Weight#", "Balancer", "From"],
    bar: note("hosts"),
  },
  {
    name: "limits",
    title: "Rate limits",
    caption: "What was counted since the inspector was started",
    columns: ["Route", "How often", "Requests#", "Refused#", "Status of refusals#"],
    bar: note("limits"),
  },
  {
    name: "caches",
    title: "Cache",
    caption: "What the cache did since the inspector was started",
    columns: ["Route", "How long", "Region", "Hits#", "Misses#", "Passed by#", "Hit share#", "Actions"],
    bar: `${note("caches")}<p class="bar"><button type="button" id="purge-all">Purge all</button><span id="purge-regions" class="bar"></span>
<span id="purge-note" role="status"></span></p>\n`,
  },
  {
    name: "aggregates",
    title: "Aggregates",
    caption: "Paths that ask several routes at the same time",
    columns: ["Aggregate", "Upstream", "Parts", "Requests#"],
  },
  {
    name: "services",
    title: "Services",
    caption: "What registries have told",
    columns: ["Service", "Registry", "Instances#", "Where", "Told"],
  },
  {
    name: "reloads",
    title: "Reloads",
    caption: "The latest ten, newest first",
    columns: ["When", "Outcome", "What"],
  },
];

/** The sections of these tables; each is hidden until it has rows. */
export const tableSections: string = tables.map(renderSection).join("\n\n");

function renderSection({ name, title, caption, columns, bar = "" }: ShownTable): string {
  return `<section id="${name}-section" aria-labelledby="${name}-title" hidden>
<h2 id="${name}-title">${title}</h2>
${bar}<div class="scroll" role="region" aria-labelledby="${name}-title" tabindex="0">
<table>
<caption>${caption}</caption>
<thead><tr>${columns.map(renderColumn).join("")}</tr></thead>
<tbody id="${name}"></tbody>
</table>
</div>
</section>`;
}

function renderColumn(column: string): string {
  return column.endsWith("#")
    ? `<th scope="col" class="number">${column.slice(0, -1)}</th>`
    : `<th scope="col">${column}</th>`;
}
