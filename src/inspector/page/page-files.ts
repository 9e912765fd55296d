import { entranceScript } from "./entrance.ts";
import { elementsScript } from "../../pages/elements-script.ts";
import { explainScript } from "./explain-script.ts";
import { mainScript } from "./main-script.ts";
import { graphsScript } from "./graphs-script.ts";
import { stateScript } from "./state-script.ts";
import { tablesScript } from "./tables-script.ts";
import { icon, style } from "../../pages/style.ts";
import { trafficScript } from "./traffic-script.ts";

type PageFile = Readonly<{ type: string; text: string }>;

/** What the entrance loads, by its path beside the page: for everybody at this machine. */
export const entranceFiles: ReadonlyMap<string, PageFile> = new Map([
  ["/style.css", { type: "text/css", text: style }],
  ["/icon.svg", { type: "image/svg+xml", text: icon }],
  ["/open.js", { type: "text/javascript", text: entranceScript }],
]);

/** What the page itself loads besides. */
export const pageFiles: ReadonlyMap<string, PageFile> = new Map([
  ["/main.js", { type: "text/javascript", text: mainScript }],
  ["/elements.js", { type: "text/javascript", text: elementsScript }],
  ["/explain.js", { type: "text/javascript", text: explainScript }],
  ["/graphs.js", { type: "text/javascript", text: graphsScript }],
  ["/state.js", { type: "text/javascript", text: stateScript }],
  ["/tables.js", { type: "text/javascript", text: tablesScript }],
  ["/traffic.js", { type: "text/javascript", text: trafficScript }],
]);
