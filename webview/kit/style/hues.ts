import type { Runtime } from '../../../src/model/target.ts';

/** How many hues the palette in page.css has, `--bs-hue-0` and so on. */
export const hueCount = 6;

/** Marks in charts and lists; beside the hue, so that targets can be told apart without colour. */
export const shapes = ['circle', 'diamond', 'triangle', 'square', 'star', 'wye'] as const;
export type Shape = (typeof shapes)[number];

/** Hue index by target id. A JVM target prefers the first hue and a Node target the second, so that they stay the same from run to run. */
export type Hues = ReadonlyMap<string, number>;

/** Gives each target a hue of its own as long as there are enough. */
export function assignHues(targets: readonly { id: string; runtime: Runtime }[]): Hues {
  const hues = new Map<string, number>();
  const preferred: Record<Runtime, number> = { jvm: 0, node: 1, other: 2 };
  for (const target of targets) {
    if (hues.has(target.id)) continue;
    const used = new Set(hues.values());
    const order = [preferred[target.runtime], 2, 3, 4, 5, 0, 1];
    hues.set(target.id, order.find((hue) => !used.has(hue)) ?? hues.size % hueCount);
  }
  return hues;
}

/** The CSS colour of a hue. */
export function hueColor(hue: number): string {
  return `var(--bs-hue-${hue % hueCount})`;
}

/** The mark of a hue. */
export function hueShape(hue: number): Shape {
  return shapes[hue % shapes.length] ?? 'circle';
}
