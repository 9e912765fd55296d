/** A constructor that gives back what it gets: a class that extends it puts its private members on any object. */
const Given = function give(object: object): object {
  return object;
} as unknown as new (object: object) => object;

/** A member that objects have, and nobody sees: no copy of an object has it. */
type PrivateMember<Value> = Readonly<{
  /** Undefined for an object to which it was not given. */
  of: (owner: object) => Value | undefined;
  giveTo: (owner: object, value: Value) => void;
}>;

/**
 * Makes a private member. A WeakMap does the same, but all of its entries are looked at by garbage collection, and where
 * objects come and go by the thousand that costs more than they do.
 */
export function createPrivateMember<Value>(): PrivateMember<Value> {
  class Owner extends Given {
    #value: Value;

    constructor(owner: object, value: Value) {
      super(owner);
      this.#value = value;
    }

    static read(this: void, owner: object): Value | undefined {
      return #value in owner ? owner.#value : undefined;
    }
  }

  function giveTo(owner: object, value: Value): void {
    Reflect.construct(Owner, [owner, value]);
  }
  return { of: Owner.read, giveTo };
}
