import type { ZodType } from 'zod';

/** Gives another text for a text; the same one for the same, so that what refers to something still does. */
export type Substitute = (text: string) => string;

/**
 * A message in which every free text, and every name of a setting, a route and the like, is another one. What the schema lets nobody choose (ids of a form,
 * words of a list, times) stays. `probe` is a text that is tried to find out.
 */
export class Poisoner {
  readonly #allowed = new Map<string, boolean>();

  constructor(private readonly probe: string) {}

  /** How many kinds of places were found in which anything may be. */
  get places(): number {
    return [...this.#allowed.values()].filter(Boolean).length;
  }

  poison<T>(message: T, schema: ZodType, substitute: Substitute, name: string): T {
    const free = (path: Path): boolean => {
      const kind = `${name}:${path.map((step) => (typeof step === 'number' ? '*' : step)).join('/')}`;
      const known = this.#allowed.get(kind);
      if (known !== undefined) return known;
      const tried = schema.safeParse(withText(message, path, this.probe)).success;
      this.#allowed.set(kind, tried);
      return tried;
    };
    const freeKey = (path: Path, key: string): boolean => {
      const kind = `${name}:${path.map((step) => (typeof step === 'number' ? '*' : step)).join('/')}/{}`;
      const known = this.#allowed.get(`${kind}${key}`) ?? this.#allowed.get(kind);
      if (known !== undefined) return known;
      const parsed = schema.safeParse(withKey(message, path, key, this.probe));
      const kept = parsed.success && at(parsed.data, path) !== null && Object.hasOwn(at(parsed.data, path) as object, this.probe);
      // Where one key may be anything, all may.
      this.#allowed.set(kept ? kind : `${kind}${key}`, kept);
      return kept;
    };
    const walk = (value: unknown, path: Path): unknown => {
      if (typeof value === 'string') return free(path) ? substitute(value) : value;
      if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, index]));
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
        freeKey(path, key) ? substitute(key) : key,
        walk(item, [...path, key]),
      ]);
      return Object.fromEntries(entries);
    };
    return walk(message, []) as T;
  }
}

type Path = readonly (string | number)[];

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : null), value);
}

function changed(value: unknown, path: Path, change: (value: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === step ? changed(item, rest, change) : item));
  return { ...(value as object), [step]: changed(at(value, [step]), rest, change) };
}

function withText(value: unknown, path: Path, text: string): unknown {
  return changed(value, path, () => text);
}

function withKey(value: unknown, path: Path, key: string, other: string): unknown {
  return changed(value, path, (inner) =>
    Object.fromEntries(Object.entries(inner as object).map(([name, item]): [string, unknown] => [name === key ? other : name, item])),
  );
}
