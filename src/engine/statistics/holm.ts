/**
 * Which of several figures differ beyond chance, so that equal things are reported as different in at most a share `level` of cases, whatever the correlation
 * of the figures (Holm, Scandinavian Journal of Statistics 6, 1979): the least probable must be significant by as many times as there are figures, the next by
 * one less, until one is not. By the same names as `chances`, which are those of each figure alone.
 */
export function differBeyondChance<Name>(chances: ReadonlyMap<Name, number>, level: number): Set<Name> {
  const found = new Set<Name>();
  const inOrder = [...chances].sort(([, a], [, b]) => a - b);
  for (const [index, [name, chance]] of inOrder.entries()) {
    if (chance * (inOrder.length - index) > level) break;
    found.add(name);
  }
  return found;
}
