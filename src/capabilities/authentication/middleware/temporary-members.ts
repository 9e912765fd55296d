/** Sets members of an object; the function that comes back takes away those that no other code has set since. */
export function setForAWhile(owner: object, members: PropertyDescriptorMap): () => void {
  const earlier = Reflect.ownKeys(members).map((name) => {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    const set = members[name]!;
    return { name, before, isSet: Reflect.defineProperty(owner, name, { ...set, configurable: true }), set };
  });
  return function takeAway() {
    for (const { name, before, isSet, set } of earlier) {
      const present = Object.getOwnPropertyDescriptor(owner, name);
      if (!isSet || present?.value !== set.value || present?.get !== set.get) continue;
      if (before === undefined) Reflect.deleteProperty(owner, name);
      else Reflect.defineProperty(owner, name, before);
    }
  };
}

/** The members that an object has and another one has not, or has with another value. */
export function changedMembers(now: object, before: object): PropertyDescriptorMap {
  const changed = Object.entries(now).filter(
    ([name, value]) => !Object.hasOwn(before, name) || Reflect.get(before, name) !== value,
  );
  return Object.getOwnPropertyDescriptors(Object.fromEntries(changed));
}
