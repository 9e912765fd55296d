import { elementsScript } from "../../pages/elements-script.ts";
import { icon, style } from "../../pages/style.ts";
import { documentText } from "./document.ts";
import { mainScript } from "./main-script.ts";
import { operationScript } from "./operation-script.ts";
import { readScript } from "./read-script.ts";
import { requestScript } from "./request-script.ts";
import { ownStyle } from "./style.ts";

/** The page and what it loads, by path. */
export const pageFiles: ReadonlyMap<string, Readonly<{ type: string; text: string }>> = new Map([
  ["/", { type: "text/html", text: documentText }],
  ["/style.css", { type: "text/css", text: style + ownStyle }],
  ["/icon.svg", { type: "image/svg+xml", text: icon }],
  ["/main.js", { type: "text/javascript", text: mainScript }],
  ["/elements.js", { type: "text/javascript", text: elementsScript }],
  ["/read.js", { type: "text/javascript", text: readScript }],
  ["/request.js", { type: "text/javascript", text: requestScript }],
  ["/operation.js", { type: "text/javascript", text: operationScript }],
]);
