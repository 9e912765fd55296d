import type { ConnectionSettings } from "../../capabilities/tls/connection-settings.ts";

/** The connections to one origin: those that wait for their next request, and how many there are in all. */
export type Group<Connection> = { readonly idle: Connection[]; open: number; readonly forget: () => void };

/** The groups of one engine, by settings and origin. */
type Groups<Connection> = Readonly<{
  find: (origin: string, settings: ConnectionSettings) => Group<Connection>;
  /** Forgets all groups of some settings, and gives them. */
  release: (settings: ConnectionSettings) => readonly Group<Connection>[];
  clear: () => void;
}>;

/** Keeps a group as long as it has connections: origins may come from middleware, and so be without end. */
export function createGroups<Connection>(): Groups<Connection> {
  const groups = new Map<ConnectionSettings, Map<string, Group<Connection>>>();
  return { find, release, clear: () => groups.clear() };

  function find(origin: string, settings: ConnectionSettings): Group<Connection> {
    return groups.get(settings)?.get(origin) ?? add(origin, settings);
  }

  function add(origin: string, settings: ConnectionSettings): Group<Connection> {
    const byOrigin = groups.get(settings) ?? new Map<string, Group<Connection>>();
    groups.set(settings, byOrigin);
    const group = createGroup<Connection>(() => void byOrigin.delete(origin));
    byOrigin.set(origin, group);
    return group;
  }

  function release(settings: ConnectionSettings): readonly Group<Connection>[] {
    const released = [...(groups.get(settings)?.values() ?? [])];
    groups.delete(settings);
    return released;
  }
}

/** Makes a group that is yet without connections; `forget` is called when it is so again. */
export function createGroup<Connection>(forget: () => void = () => undefined): Group<Connection> {
  return { idle: [], open: 0, forget };
}

/** Notes that a connection of the group has ended. */
export function leaveGroup(group: Group<unknown>): void {
  group.open -= 1;
  if (group.open === 0) group.forget();
}
