import type { ClientPath, ParameterPlace } from "./client-path.ts";
import { namesIn } from "./path-segments.ts";

/** Two paths that differ by the names of their parameters only are the same to OpenAPI. */
export function shapeOf(path: string): string {
  return path.replace(/\{[^{}]+\}/g, "{}");
}

/** Gives the parameters of a path the names that they have in another one of its shape. */
export function alignNames(client: ClientPath, path: string): ClientPath {
  if (client.path === path) return client;
  const others = namesIn(path);
  const renamed = new Map(namesIn(client.path).map((name, index) => [name, others[index]!]));
  return {
    path,
    places: new Map([...client.places].map(([name, place]) => [name, rename(place)])),
    added: client.added.map(rename),
  };

  function rename<Place extends ParameterPlace>(place: Place): Place {
    return place.in === "path" ? { ...place, name: renamed.get(place.name) ?? place.name } : place;
  }
}
