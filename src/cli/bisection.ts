/** What is known of a commit. Skipped: it was undecided even after more rounds, or could not be measured. Open: it was undecided in the first rounds. */
export type Finding = 'good' | 'bad' | 'skipped' | 'open';

/** By how much a figure of a commit is worse than that of the good version, on a logarithm, and the standard error of that. */
export interface Change {
  change: number;
  error: number;
}

/** What was seen of a commit. The change is known even where the comparison was undecided; null where nothing was measured. */
export interface Seen {
  finding: Finding;
  change: Change | null;
}

/**
 * The commit to be measured next, or the possible answers: the first bad commit, and those that cannot be distinguished from it. `chance`: the probability
 * that it is one of them, from the measurements of undecided commits; 1 where nothing else is possible.
 */
export type BisectionStep = { next: string } | { culprits: string[]; chance: number };

/** The probability from which on the other commits are excluded. */
const sureOf = 0.95;

/**
 * A search for the first bad commit. `commits` are from the oldest to the newest; the version before the first is good, and the last is bad. Each step
 * measures the commit that halves what is still possible. An undecided commit is no answer, but it is evidence: its change makes some commits likelier than
 * others, as a step in a row of noisy figures; where nothing was measured all are alike, and the search is binary.
 */
export function bisectionStep(commits: readonly string[], seen: ReadonlyMap<string, Seen>): BisectionStep {
  const findingAt = (index: number): Finding | undefined => seen.get(commits[index] ?? '')?.finding;
  const firstBad = commits.findIndex((commit) => seen.get(commit)?.finding === 'bad');
  const bad = firstBad === -1 ? commits.length - 1 : firstBad;
  let good = -1;
  for (let index = 0; index < bad; index += 1) if (findingAt(index) === 'good') good = index;
  const chances = chancesOf(
    commits.map((commit) => seen.get(commit)?.change ?? null),
    { good, bad },
  );
  const before = (index: number): number => chances.slice(0, index + 1).reduce((sum, chance) => sum + chance, 0);
  const told = (index: number): boolean => findingAt(index) !== undefined && findingAt(index) !== 'open';
  const halving = Array.from({ length: bad - good - 1 }, (_, nth) => good + 1 + nth)
    .filter((index) => !told(index))
    .map((index) => ({ index, off: Math.abs(before(index) - 0.5) }))
    .filter(({ off }) => off < 0.5 - (1 - sureOf) / 2)
    .sort((a, b) => a.off - b.off);
  const next = commits[halving[0]?.index ?? -1];
  return next === undefined ? suspects(commits, chances) : { next };
}

/** The fewest commits among which it surely is, and those between them. */
function suspects(commits: readonly string[], chances: readonly number[]): { culprits: string[]; chance: number } {
  const likeliest = [...chances.entries()].sort(([, a], [, b]) => b - a);
  const within: number[] = [];
  let chance = 0;
  for (const [index, own] of likeliest) {
    if (chance >= sureOf || own === 0) break;
    within.push(index);
    chance += own;
  }
  const [from, to] = [Math.min(...within), Math.max(...within)];
  const sum = chances.slice(from, to + 1).reduce((all, own) => all + own, 0);
  return { culprits: commits.slice(from, to + 1), chance: Math.min(1, sum) > 1 - 1e-9 ? 1 : sum };
}

/**
 * How likely each commit is the first bad one: those after the last good one, up to the first bad one. Before it nothing is changed, from it on everything by
 * the same, which is what fits best and makes it worse.
 */
function chancesOf(changes: readonly (Change | null)[], { good, bad }: { good: number; bad: number }): number[] {
  const possible = (index: number): boolean => index > good && index <= bad;
  const misfits = changes.map((_, first) => (possible(first) ? misfit(changes, first) : Infinity));
  const least = Math.min(...misfits);
  const weights = misfits.map((one) => (one === Infinity ? 0 : Math.exp((least - one) / 2)));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / all);
}

/** The squares of what is left over, in standard errors, where the step is at `first`. */
function misfit(changes: readonly (Change | null)[], first: number): number {
  const after = changes.slice(first).filter((one) => one !== null);
  const weight = after.reduce((sum, { error }) => sum + 1 / error ** 2, 0);
  const step = weight === 0 ? 0 : Math.max(0, after.reduce((sum, { change, error }) => sum + change / error ** 2, 0) / weight);
  return changes.reduce((sum, one, index) => sum + (one === null ? 0 : ((one.change - (index < first ? 0 : step)) / one.error) ** 2), 0);
}

/** Two measurements of one thing as one. */
export function pooled(a: Change | null, b: Change | null): Change | null {
  if (a === null || b === null) return a ?? b;
  const [ofA, ofB] = [1 / a.error ** 2, 1 / b.error ** 2];
  return { change: (a.change * ofA + b.change * ofB) / (ofA + ofB), error: 1 / Math.sqrt(ofA + ofB) };
}

/** About how many comparisons are left. */
export function stepsLeft(commits: readonly string[], seen: ReadonlyMap<string, Seen>): number {
  const open = commits.length - seen.size;
  return Math.max(0, Math.ceil(Math.log2(Math.max(1, open + 1))));
}
