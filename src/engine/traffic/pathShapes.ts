import { grouped } from '../../model/domain/grouped.ts';
import { remembered } from '../../model/domain/remembered.ts';
import { freeName } from '../files/freeName.ts';
import { decoded } from '../files/namedSecrets.ts';
import { singular } from '../introspect/parameterRows.ts';

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
/**
 * Keys that a program made, such as `x7Kq`, have digits before letters; names (`oauth2`, `v1`) seldom have. The `fewest` of them are values where they are that
 * share of all with digits, and each recurs seldom, or all are as long as no such names are, or they are many: names are few and recur.
 */
const mixed = { fewest: 3, share: 1 / 3, recurring: 10, length: 5, many: 8 } as const;
const word = /^(?:[A-Z]?[a-z_-]+|[A-Z_-]+)$/;
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
        const wanted = wantedName(before);
        const parameter = freeName(wanted, (number) => `${wanted}${number}`, taken);
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
  return remembered(node.literals, part, newNode);
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
  const names = [...literals.keys()];
  let requests = 0;
  let rare = 0;
  for (const { count } of literals.values()) {
    requests += count;
    if (count <= 2) rare += 1;
  }
  const varied =
    literals.size >= variation.children &&
    requests >= variation.requests &&
    (rare >= literals.size * variation.rareShare || literals.size >= variation.many);
  const made = madeKeys(literals, varied);
  if (varied) return made.length * 2 > names.length ? made : names;
  const numbered = grouped(
    names.filter((part) => /\d/.test(part)),
    (part) => part.replace(/\d+/g, '0'),
  );
  return [...made, ...[...numbered.values()].filter((parts) => parts.length >= sameMask).flat()];
}

/** The short keys among the names of one place, by how they are composed, how many they are and how often each recurs. */
function madeKeys(literals: Node['literals'], varied: boolean): string[] {
  const countOf = (part: string): number => literals.get(part)?.count ?? 0;
  const areValues = (parts: readonly string[], isLong = false): boolean => {
    const requests = parts.reduce((sum, part) => sum + countOf(part), 0);
    return parts.length >= (isLong || requests <= parts.length * mixed.recurring ? mixed.fewest : mixed.many);
  };
  const withDigits = [...literals.keys()].filter((part) => /^[a-z\d]+$/i.test(part) && /\d/.test(part));
  const tangled = withDigits.filter((part) => /\d[a-z]/i.test(part));
  const lengths = new Set(tangled.map(({ length }) => length));
  const areLong = lengths.size === 1 && Math.min(...lengths) >= mixed.length;
  if (!areValues(tangled, areLong) || tangled.length < withDigits.length * mixed.share) {
    // Letters before at least two digits, as many in each: `LH123`.
    const lettersFirst = withDigits.filter((part) => /^[a-z]+\d{2,}$/i.test(part));
    const formOf = (part: string): string => part.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '0');
    return [...grouped(lettersFirst, formOf).values()].filter((parts) => areValues(parts)).flat();
  }
  // Where there are ever new ones, a word may be a key by chance, unless it recurs more often than any other key.
  const most = varied ? tangled.reduce((highest, part) => Math.max(highest, countOf(part)), 0) : 0;
  return [...literals.keys()].filter(
    (part) => /^[\w-]+$/.test(part) && lengths.has(part.length) && (!word.test(part) || countOf(part) <= most),
  );
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

const mostNames = 10_000;
const names = new Map<string, string>();

/** `items` is followed by `:itemId`, since names are for people. */
function wantedName(before: string): string {
  const known = names.get(before);
  if (known !== undefined) return known;
  const plain = before.replace(/\W+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase()).replace(/^[^A-Za-z]+/, '');
  const one = singular(plain);
  const wanted = one === '' ? 'id' : `${one}Id`;
  // In a hostile file every name may differ.
  if (names.size < mostNames) names.set(before, wanted);
  return wanted;
}
