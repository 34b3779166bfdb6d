/** What the app gave us, of which nothing is known. */
export type Unknowns = Record<string | symbol, unknown>;

/** The nearest property of that name on the chain of an object, without calling a getter. */
export function propertyOf(object: object, name: string | symbol): PropertyDescriptor | undefined {
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const descriptor = Object.getOwnPropertyDescriptor(at, name);
    if (descriptor !== undefined) return descriptor;
  }
  return undefined;
}

export function hasMethods(prototype: object, ...names: string[]): boolean {
  return names.every((name) => typeof propertyOf(prototype, name)?.value === 'function');
}

export function hasGetters(prototype: object, ...names: string[]): boolean {
  return names.every((name) => typeof propertyOf(prototype, name)?.get === 'function');
}

/** The prototype on the chain that itself has a method of that name. */
function ownerOf(prototype: object, name: string): object | null {
  for (let at: object | null = prototype; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    if (Object.prototype.hasOwnProperty.call(at, name)) return at;
  }
  return null;
}

/** As {@link ownerOf}, once for each: null for one that was followed before. */
export function ownerOnce(followed: WeakSet<object>, prototype: object, name: string): object | null {
  const owner = ownerOf(prototype, name);
  if (owner === null || followed.has(owner)) return null;
  followed.add(owner);
  return owner;
}

type Method<This, Given extends unknown[]> = (this: This, ...given: Given) => unknown;

/**
 * Puts another function in place of a method, which looks like it: same name, length and attributes. Changes nothing where that cannot be done. Each `make` has a
 * function of its own, with `this`: one that all share takes 25 ns longer for each call.
 */
export function replaceMethod<This, Given extends unknown[] = unknown[]>(
  owner: object,
  name: string,
  make: (original: Method<This, Given>) => Method<This, Given>,
): void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name);
  if (descriptor === undefined || descriptor.configurable !== true || typeof descriptor.value !== 'function') return;
  const original = descriptor.value as Method<This, Given>;
  const replacement = make(original);
  Object.defineProperty(replacement, 'name', { value: original.name, configurable: true });
  Object.defineProperty(replacement, 'length', { value: original.length, configurable: true });
  Object.defineProperty(owner, name, { ...descriptor, value: replacement });
}

/** Has `seen` look at each call of a method before the method runs, with `this` first; a failure of `seen` is not the app's. */
export function watchMethod<This extends object, Given extends unknown[]>(
  owner: object,
  name: string,
  seen: (self: This, ...given: Given) => void,
): void {
  const look = quietly(seen, undefined);
  replaceMethod<This, Given>(owner, name, (original) => {
    return function (...given) {
      look(this, ...given);
      return original.apply(this, given);
    };
  });
}

/** A number that the protocol takes: finite and not negative. */
export function amount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** A limit: null where there is none. */
export function limit(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

/** Length of an array or a queue that has one. */
export function lengthOf(list: unknown): number {
  return typeof list === 'object' && list !== null ? amount((list as { length?: unknown }).length) : 0;
}

/** A text that the protocol takes. */
export function shortText(text: unknown): string {
  return String(text).slice(0, 300);
}

/** Work whose failure is the probe's own affair: a figure that is missing does not justify the end of an app. */
export function quietly<Parameters extends unknown[], Result>(
  work: (...parameters: Parameters) => Result,
  otherwise: Result,
): (...parameters: Parameters) => Result {
  return (...parameters) => {
    try {
      return work(...parameters);
    } catch {
      return otherwise;
    }
  };
}
