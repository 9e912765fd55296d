import { elementsScript } from "./elements-script.ts";
import { explainScript } from "./explain-script.ts";
import { mainScript } from "./main-script.ts";
import { icon, style } from "./style.ts";
import { trafficScript } from "./traffic-script.ts";

/** What the page loads, by its path beside the page. */
export const pageFiles: ReadonlyMap<string, Readonly<{ type: string; text: string }>> = new Map([
  ["/style.css", { type: "text/css", text: style }],
  ["/icon.svg", { type: "image/svg+xml", text: icon }],
  ["/main.js", { type: "text/javascript", text: mainScript }],
  ["/elements.js", { type: "text/javascript", text: elementsScript }],
  ["/explain.js", { type: "text/javascript", text: explainScript }],
  ["/traffic.js", { type: "text/javascript", text: trafficScript }],
]);
