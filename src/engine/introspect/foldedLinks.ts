import type { RouteParameter } from '../../model/domain/target.ts';

/** A path, and what its parameter was in the links. */
export interface FoldedLink {
  path: string;
  parameters: Record<string, RouteParameter>;
}

interface Shape {
  path: string;
  isNumber: boolean;
  /** The links, by what they have in place of the parameter. */
  links: Map<string, string>;
}

const wholeNumber = /^(?:0|[1-9]\d{0,14})$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** As many as a parameter can be. */
const mostValues = 1_000;

/** Links that differ in one number or one UUID are one path with a parameter; the others stay as they are. */
export function foldedLinks(links: readonly string[]): FoldedLink[] {
  const folded = new Map<string, FoldedLink>();
  for (const shape of largestFirst(links)) {
    const left = [...shape.links].filter(([, link]) => !folded.has(link));
    if (left.length < 2) continue;
    const one = { path: shape.path, parameters: { id: parameterOf(shape, left) } };
    for (const [, link] of left) folded.set(link, one);
  }
  return [...new Set(links.map((path) => folded.get(path) ?? path))].map((one) =>
    typeof one === 'string' ? { path: one, parameters: {} } : one,
  );
}

function largestFirst(links: readonly string[]): Shape[] {
  const shapes = new Map<string, Shape>();
  for (const link of links) {
    const parts = link.split('/');
    for (const [at, part] of parts.entries()) {
      const isNumber = wholeNumber.test(part);
      if (!isNumber && !uuid.test(part)) continue;
      const path = parts.with(at, ':id').join('/');
      const key = `${isNumber ? 'number' : 'uuid'} ${path}`;
      const shape = shapes.get(key) ?? { path, isNumber, links: new Map<string, string>() };
      shapes.set(key, shape);
      shape.links.set(part, link);
    }
  }
  return [...shapes.values()].sort((a, b) => b.links.size - a.links.size);
}

function parameterOf({ isNumber }: Shape, links: readonly (readonly [string, string])[]): RouteParameter {
  const values = links.map(([value]) => value);
  if (!isNumber) return { values: values.slice(0, mostValues) };
  const numbers = values.map(Number);
  return { min: Math.min(...numbers), max: Math.max(...numbers) };
}
