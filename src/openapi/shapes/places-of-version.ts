import type { OpenApiVersion } from "../reading/read-document.ts";
import type { ComponentPlaces } from "./components.ts";
import { shapes2 } from "./shapes-2.ts";
import { shapes30, shapes31 } from "./shapes-3.ts";

/** What the objects of each version are like, and where those stand that references lead to. */
export const placesOfVersion: Readonly<Record<OpenApiVersion, ComponentPlaces>> = {
  "2.0": { shapes: shapes2, prefix: "#/" },
  "3.0": { shapes: shapes30, prefix: "#/components/" },
  "3.1": { shapes: shapes31, prefix: "#/components/" },
};
