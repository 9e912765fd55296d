import type { Landed, Rooms } from "./fetch-answer.ts";
import { createFlights, type Flights } from "./wait-for-one-call.ts";
import { createByteRoom } from "../../bodies/pieces/byte-room.ts";

/** What the caches of all routes share over all reloads: the calls that are under way, and the rooms for their answers. */
export type SharedByCaches = Readonly<{ flights: Flights<Landed>; rooms: Rooms }>;

// Both together are as much as the memory store keeps.
const roomBytes = 33_554_432;

/** Makes it for the first configuration; those behind go on with it. */
export const prepareCaches = (_surroundings: unknown, earlier: SharedByCaches | undefined): SharedByCaches =>
  earlier ?? {
    flights: createFlights(),
    rooms: { collected: createByteRoom(roomBytes), waiting: createByteRoom(roomBytes) },
  };
