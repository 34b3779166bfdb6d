/** What is known of a commit. Left out: it could not be told even with more rounds, or could not be measured. */
export type Finding = 'good' | 'bad' | 'skipped';

/** Which commit is to be measured next, or which ones it can be: the first bad one, and those left out just before it. */
export type BisectionStep = { next: string } | { culprits: string[] };

/**
 * A binary search for the first bad commit. `commits` are from the oldest to the newest; the version before the first is good, and the last is bad. A
 * commit that was left out is passed by to its nearest neighbour.
 */
export function bisectionStep(commits: readonly string[], findings: ReadonlyMap<string, Finding>): BisectionStep {
  const firstBad = commits.findIndex((commit) => findings.get(commit) === 'bad');
  const bad = firstBad === -1 ? commits.length - 1 : firstBad;
  let good = -1;
  for (let index = 0; index < bad; index += 1) if (findings.get(commits[index] ?? '') === 'good') good = index;
  const open: number[] = [];
  for (let index = good + 1; index < bad; index += 1) if (!findings.has(commits[index] ?? '')) open.push(index);
  const middle = (good + bad) / 2;
  const [next] = open.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  return next === undefined ? { culprits: commits.slice(good + 1, bad + 1) } : { next: commits[next] ?? '' };
}

/** About how many comparisons are left. */
export function stepsLeft(commits: readonly string[], findings: ReadonlyMap<string, Finding>): number {
  const open = commits.length - findings.size;
  return Math.max(0, Math.ceil(Math.log2(Math.max(1, open + 1))));
}
