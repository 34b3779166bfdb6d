/**
 * Moves labels apart that would overlap: returns positions in the order given, each at least `gap` from the next,
 * within `low` … `high` as far as there is room, and as near to where they belong as that allows.
 */
export function spreadLabels(positions: readonly number[], gap: number, low: number, high: number): number[] {
  const order = positions.map((position, index) => ({ position, index })).sort((a, b) => a.position - b.position);
  let floor = low;
  for (const label of order) {
    label.position = Math.max(label.position, floor);
    floor = label.position + gap;
  }
  let ceiling = high;
  for (const label of [...order].reverse()) {
    label.position = Math.min(label.position, ceiling);
    ceiling = label.position - gap;
  }
  const spread = [...positions];
  for (const label of order) spread[label.index] = label.position;
  return spread;
}

/** The smallest round number (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten) that is not below `value`. */
export function roundUp(value: number): number {
  return roundUpTo([1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10], value);
}

/** As {@link roundUp}, to one of these times a power of ten. */
export function roundUpTo(steps: readonly number[], value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = steps.find((candidate) => candidate * power >= value * (1 - 1e-9)) ?? 10;
  return step * power;
}
