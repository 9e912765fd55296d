import { IncomingMessage } from "node:http";
import { Socket } from "node:net";

const request = new IncomingMessage(new Socket());

// Some of its notes Node makes when it is asked first.
Reflect.get(request, "signal");
const set = {};
for (const name of ["headers", "headersDistinct", "trailers", "trailersDistinct"]) Reflect.set(request, name, set);

/** What Node notes for itself on a request. */
const notes = Reflect.ownKeys(request).filter((name) => typeof name === "symbol" || name.startsWith("_"));

/** Under these names Node keeps what code reads, and may set, as headers and trailers; where nothing is, it makes them anew. */
export const notedHeaders = notes.filter((name) => Reflect.get(request, name) === set);

/** All others, which tell of the stream. */
export const notesOfStream = notes.filter((name) => Reflect.get(request, name) !== set);
