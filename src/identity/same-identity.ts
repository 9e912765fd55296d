type Told = Readonly<{ scheme?: unknown; id?: unknown; token?: unknown }>;

/** Whether two identities, whoever has set them, are those of one client: the same scheme knows him by the same id. */
export function isSameIdentity(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  const [first, second] = [toldBy(one), toldBy(other)];
  return first.id !== undefined && first.id === second.id && first.scheme === second.scheme;
}

/** Whether they have come from the same credential of his, too. */
export function isSameCredential(one: unknown, other: unknown): boolean {
  return isSameIdentity(one, other) && toldBy(one).token === toldBy(other).token;
}

/** Code of the app may have set anything. */
function toldBy(identity: unknown): Told {
  return Object(identity) as Told;
}
