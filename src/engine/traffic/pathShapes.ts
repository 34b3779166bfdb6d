/** A part of a path that is constant, or a parameter by its name. */
type Part = { literal: string } | { parameter: string };

/** A path as a route, and the values of its parameters; null: the source left it open. */
export interface ShapedPath {
  /** `/items/:itemId` */
  path: string;
  parts: readonly Part[];
  values: readonly (string | null)[];
}

interface Node {
  count: number;
  literals: Map<string, Node>;
  /** What was found to be a value of one parameter rather than a name. */
  merged: Set<string>;
  parameter: Node | null;
}

/** This many different names in one place can only be values; below that it is known by their form alone. */
const variation = { children: 20, requests: 200, rareShare: 0.2, many: 100 } as const;
/** So many names that differ only in their digits are values. */
const sameMask = 3;
const uuidLength = 36;
const shortestKey = 16;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * Which parts of paths are parameters, as the traffic itself says: numbers, UUIDs and long keys by their form; names that differ in their digits alone; and
 * places with ever new names. What follows a parameter is shared by all its values.
 */
export class PathShapes {
  readonly #root = newNode();

  constructor(paths: Iterable<{ path: string; count: number }>) {
    for (const { path, count } of paths) {
      let node = this.#root;
      for (const part of partsOf(path)) {
        node = isKey(part) ? (node.parameter ??= newNode()) : child(node, part);
        node.count += count;
      }
    }
    settle(this.#root);
  }

  shapeOf(path: string): ShapedPath {
    const parts: Part[] = [];
    const values: (string | null)[] = [];
    const taken = new Set<string>();
    let node: Node | undefined = this.#root;
    let before = '';
    for (const part of partsOf(path)) {
      if (isKey(part) || node?.merged.has(part) === true) {
        const parameter = nameFor(before, taken);
        parts.push({ parameter });
        values.push(isOpen(part) ? null : decoded(part));
        node = node?.parameter ?? undefined;
      } else {
        parts.push({ literal: part });
        before = part;
        node = node?.literals.get(part);
      }
    }
    const slash = path.length > 1 && path.endsWith('/') ? '/' : '';
    const text = parts.map((part) => ('literal' in part ? part.literal : `:${part.parameter}`)).join('/');
    return { path: `/${text}${slash}`, parts, values };
  }
}

function newNode(): Node {
  return { count: 0, literals: new Map(), merged: new Set(), parameter: null };
}

function child(node: Node, part: string): Node {
  const known = node.literals.get(part);
  if (known !== undefined) return known;
  const made = newNode();
  node.literals.set(part, made);
  return made;
}

/** Puts what are values of one parameter together, from the root to the leaves. */
function settle(root: Node): void {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const part of valuesAmong(node)) {
      const one = node.literals.get(part);
      if (one === undefined) continue;
      node.literals.delete(part);
      node.merged.add(part);
      join((node.parameter ??= newNode()), one);
    }
    open.push(...node.literals.values());
    if (node.parameter !== null) open.push(node.parameter);
  }
}

function valuesAmong({ literals }: Node): readonly string[] {
  const masks = new Map<string, string[]>();
  let requests = 0;
  let rare = 0;
  for (const [part, { count }] of literals) {
    requests += count;
    if (count <= 2) rare += 1;
    if (!/\d/.test(part)) continue;
    const mask = part.replace(/\d+/g, '0');
    masks.set(mask, [...(masks.get(mask) ?? []), part]);
  }
  const varied =
    literals.size >= variation.children &&
    requests >= variation.requests &&
    (rare >= literals.size * variation.rareShare || literals.size >= variation.many);
  if (varied) return [...literals.keys()];
  return [...masks.values()].flatMap((parts) => (parts.length >= sameMask ? parts : []));
}

function join(into: Node, from: Node): void {
  const open = [{ into, from }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    next.into.count += next.from.count;
    for (const [part, one] of next.from.literals) open.push({ into: child(next.into, part), from: one });
    if (next.from.parameter !== null) open.push({ into: (next.into.parameter ??= newNode()), from: next.from.parameter });
  }
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

/** What the source leaves open: `{id}`. */
function isOpen(part: string): boolean {
  return part.startsWith('{') && part.endsWith('}');
}

/** A key by its form. */
function isKey(part: string): boolean {
  if (/^\d+$/.test(part) || isOpen(part) || (part.length === uuidLength && uuid.test(part))) return true;
  return (
    part.length >= shortestKey &&
    /\d/.test(part) &&
    (/^[0-9a-f]{16,}$/i.test(part) || (/^[A-Za-z0-9_-]{20,}$/.test(part) && !/^[a-z]+(?:-[a-z]+)+/.test(part)))
  );
}

/** `items` is followed by `:itemId`; names are for people, and twice in one path they are numbered. */
function nameFor(before: string, taken: Set<string>): string {
  const wanted = wantedName(before);
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}${number}`;
  taken.add(name);
  return name;
}

const mostNames = 10_000;
const names = new Map<string, string>();

function wantedName(before: string): string {
  const known = names.get(before);
  if (known !== undefined) return known;
  const plain = before.replace(/\W+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase()).replace(/^[^A-Za-z]+/, '');
  const one = plain
    .replace(/ies$/, 'y')
    .replace(/(?<=s|x|ch|sh)es$/, '')
    .replace(/(?<!s)s$/, '');
  const wanted = one === '' ? 'id' : `${one}Id`;
  // In a hostile file every name may differ.
  if (names.size < mostNames) names.set(before, wanted);
  return wanted;
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
