import type { GrowingClass } from '../../model/domain/leak.ts';

export interface ClassCount {
  objects: number;
  bytes: number;
}

export interface ClassHistogram {
  bytes: number;
  classes: ReadonlyMap<string, ClassCount>;
}

/** `   1:         12345        567890  [B (java.base@17.0.15)` */
const row = /^\s*\d+:\s+(\d+)\s+(\d+)\s+(\S+)/;
const mostClasses = 10;
const primitives: Readonly<Record<string, string>> = {
  B: 'byte',
  C: 'char',
  D: 'double',
  F: 'float',
  I: 'int',
  J: 'long',
  S: 'short',
  Z: 'boolean',
};

/** Reads the answer of HotSpot to `GC.class_histogram`; null where it is none. */
export function readClassHistogram(text: string): ClassHistogram | null {
  const classes = new Map<string, ClassCount>();
  let bytes = 0;
  for (const line of text.split('\n')) {
    const [, objects, size, name] = row.exec(line) ?? [];
    if (objects === undefined || size === undefined || name === undefined) continue;
    const before = classes.get(readableName(name));
    bytes += Number(size);
    // Loaders may have classes of one name each.
    classes.set(readableName(name), { objects: Number(objects) + (before?.objects ?? 0), bytes: Number(size) + (before?.bytes ?? 0) });
  }
  return classes.size === 0 ? null : { bytes, classes };
}

/** `[B` as byte[], `[Ljava.lang.String;` as java.lang.String[]. */
function readableName(name: string): string {
  const [, depth, element] = /^(\[+)(.+)$/.exec(name) ?? [];
  if (depth === undefined || element === undefined) return name;
  return `${primitives[element] ?? element.replace(/^L(.*);$/, '$1')}${'[]'.repeat(depth.length)}`;
}

/** Classes of which there are more after every cycle, by at least `least` objects each time; those that take most first. */
export function growingClasses(histograms: readonly ClassHistogram[], least: number): GrowingClass[] {
  const [first, last] = [histograms[0], histograms.at(-1)];
  if (first === undefined || last === undefined) return [];
  const found = [...last.classes].flatMap(([name, { bytes }]): GrowingClass[] => {
    const objects = histograms.map(({ classes }) => classes.get(name)?.objects ?? 0);
    const perCycle = objects.slice(1).map((count, index) => count - (objects[index] ?? 0));
    if (perCycle.length === 0 || Math.min(...perCycle) < Math.max(1, least)) return [];
    return [{ name, perCycle, bytes: bytes - (first.classes.get(name)?.bytes ?? 0) }];
  });
  return found.sort((a, b) => b.bytes - a.bytes).slice(0, mostClasses);
}
