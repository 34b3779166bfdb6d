import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryDir } from '../../support/engine.ts';
import { markdownTable } from '../../support/markdownTable.ts';
import { countedTable } from '../fuzz/counts.ts';
import { soakTable } from '../soak/soakTable.ts';
import { activities } from './activities.ts';
import { faults, phaseSpans } from './faults.ts';
import type { Kills } from './kills.ts';
import type { Result } from './results.ts';
import type { VersionKill } from './versionKills.ts';

const goalMs = 2_000;
/** The three seconds that it is given, and what any other takes. */
const blockedGoalMs = 3_000 + goalMs;
/** What follows it in the page is kept. */
const byHand = '<!-- What follows is written by hand, and kept. -->';

/** The value below which this share of the values is; null without any. */
function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

function seconds(ms: number | null): string {
  return ms === null ? '–' : `${(ms / 1000).toFixed(2)} s`;
}

function row(label: string, results: readonly Result[]): (string | number)[] {
  const times = results.flatMap(({ cleanUpMs }) => cleanUpMs ?? []);
  return [
    label,
    results.length,
    results.filter(({ injected }) => injected).length,
    results.filter(({ left }) => left.length > 0).length,
    results.filter(({ nextRun }) => !nextRun).length,
    seconds(quantile(times, 0.5)),
    seconds(quantile(times, 0.95)),
    seconds(quantile(times, 1)),
  ];
}

const head = ['', 'injections', 'of which it hit something', 'with something left', 'next run failed', 'clean-up p50', 'p95', 'max'];

function by(name: string, results: readonly Result[], groups: readonly { label: string; of: (result: Result) => boolean }[]): string {
  const rows = groups.map(({ label, of }) => ({ label, own: results.filter(of) })).filter(({ own }) => own.length > 0);
  return markdownTable([[name, ...head.slice(1)], ...rows.map(({ label, own }) => row(label, own))]);
}

/** What was left, and how often, by fault. */
function findings(results: readonly Result[]): string {
  const counts = new Map<string, number>();
  for (const { fault, left, nextRun, nextCode } of results) {
    for (const what of [...left, ...(nextRun ? [] : [`the next run: ${nextCode ?? 'unknown'}`])]) {
      const key = `${fault}: ${what}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  if (counts.size === 0) return 'Nothing was left, and every next run was complete.';
  return markdownTable([['fault and what was left', 'times'], ...[...counts].sort((a, b) => b[1] - a[1])]);
}

/** Under what the times were measured. */
function circumstances(results: readonly Result[]): string {
  const starved = quantile(
    results.flatMap(({ starved: share }) => share ?? []),
    0.5,
  );
  const survived = new Set(faults.filter(({ ends }) => ends === 'nothing').map(({ name }) => name));
  const own = results.filter(({ fault }) => survived.has(fault)).flatMap(({ cleanUpMs }) => cleanUpMs ?? []);
  const killed = results.filter(({ fault }) => fault === 'kill-engine' || fault === 'kill-both');
  const guarded = killed.filter(({ guardianMs }) => guardianMs !== null).flatMap(({ cleanUpMs }) => cleanUpMs ?? []);
  const guardians = results.flatMap(({ guardianMs }) => guardianMs ?? []);
  const before = killed.filter(({ alone }) => alone === null).flatMap(({ cleanUpMs }) => cleanUpMs ?? []);
  const normal = results.filter(({ nice }) => nice === 0).flatMap(({ cleanUpMs }) => cleanUpMs ?? []);
  return `The machine had two cores and other work at a higher priority, so that every time is longer than on a machine of one's own: ${
    starved === null
      ? 'it is not known how busy it was'
      : `in the middle, somebody waited for a processor for ${Math.round(100 * starved)} % of the clean-up`
  }. Where the engine survived and was asked to end, clean-up took ${seconds(quantile(own, 0.5))} in the middle and ${seconds(
    quantile(own, 0.95),
  )} at the 95th percentile. Where the engine itself was killed, the kernel ends what it had started itself, and its guardian
([decision 36](decisions/0036-an-engine-has-a-guardian.md)) what these had started in sessions of their own: of ${guarded.length} such injections ${seconds(quantile(guarded, 0.5))} in the middle and ${seconds(
    quantile(guarded, 0.95),
  )} at the 95th percentile; the ${before.length} before there were guardians had to wait
for the next engine, and took ${seconds(quantile(before, 0.5))} and ${seconds(quantile(before, 0.95))}. The guardian itself, which removes temporary folders at last, was gone ${seconds(
    quantile(guardians, 0.5),
  )} after the fault in the middle and ${seconds(quantile(guardians, 0.95))} at the 95th percentile (${guardians.length} injections). Of ${normal.length} injections at normal priority, with the same other work, clean-up took ${seconds(quantile(normal, 0.5))} in the middle and
${seconds(quantile(normal, 0.95))} at the 95th percentile.`;
}

function versionRows(kills: readonly VersionKill[], reached: (is: boolean) => string): (string | number)[][] {
  const [changed, left] = [kills.filter((one) => one.changed.length > 0), kills.filter((one) => one.left.length > 0)];
  return [
    ['Comparisons of two versions of the code killed', kills.length, '200', reached(kills.length >= 200)],
    ['Of these: checkout, index, refs, stash, worktrees or a lock changed', changed.length, '0', reached(changed.length === 0)],
    ['Of these: a process, a copy or a folder after the next start', left.length, '0', reached(left.length === 0)],
  ];
}

const moments: Readonly<Record<string, string>> = {
  measure: 'measuring',
  record: 'recording',
  targets: 'starting both versions',
  prepare: 'preparing the run',
  warmUp: 'warming up',
  write: 'writing the run',
  Copying: 'copying a version',
  over: 'just after its end',
};

/** When comparisons were killed. */
function versionMoments(kills: readonly VersionKill[]): string {
  const counts = new Map<string, number>();
  for (const { during } of kills) counts.set(during, (counts.get(during) ?? 0) + 1);
  const told = [...counts].sort((a, b) => b[1] - a[1]).map(([during, times]) => `${moments[during] ?? during} (${times})`);
  return `With \`--versions=200\` it kills engines in a comparison of the working tree with a commit before it, in a repository with staged, changed and untracked files, a stash and a second branch; every file below it, those of \`.git\` too, is compared by time and content (objects by content alone) before and after. They were killed in these steps: ${told.join(', ') || 'none yet'}.`;
}

/** Writes docs/reliability.md from what is kept. */
export function writeReport(results: readonly Result[], kills: readonly Kills[], versionKills: readonly VersionKill[]): void {
  // An engine that answers nobody is given three seconds before it is ended by force.
  const isBlocked = ({ fault }: Result): boolean => fault.startsWith('block-engine');
  const blocked = results.filter(isBlocked);
  const blockedTimes = blocked.flatMap(({ cleanUpMs }) => cleanUpMs ?? []);
  const others = results.filter((one) => !isBlocked(one));
  const times = others.flatMap(({ cleanUpMs }) => cleanUpMs ?? []);
  const p95 = quantile(times, 0.95);
  const since = others.filter(({ guardianMs }) => guardianMs !== null);
  const p95Since = quantile(
    since.flatMap(({ cleanUpMs }) => cleanUpMs ?? []),
    0.95,
  );
  const sum = (value: (one: Kills) => number): number => kills.reduce((total, one) => total + value(one), 0);
  const hasLeft = (one: Result): boolean => one.left.length > 0 || !one.nextRun;
  const left = results.filter(hasLeft).length;
  const newest = results.filter(({ commit }) => commit === results.at(-1)?.commit);
  const reached = (is: boolean): string => (is ? 'yes' : '**no**');
  const page = `# What is left when something dies

This page is written by \`npm run bench faults\` from what it has measured (\`test/bench/faults/results\`). A fault is injected at a random moment of a random
phase of a run, a tuning, a published experiment or a live session. Afterwards the next engine starts: at once as after a crash or, half of the times, only when nothing runs.

The bench then checks: does anything of the first engine still run (by identity, by the mark in its environment, by PostgreSQL's folder)? Does a process listen on its ports? Is there a temporary folder, a journal, a
half-written run? Is every stored run whole? Is the next run complete?

Clean-up is the time from the fault (or from when the client left, where the engine
survives) until nothing ran but the engine’s guardian, whose end is measured separately.

All of it is measured on Linux and holds there. macOS and Windows were never tried, and on Windows nothing ends what a killed engine leaves: the guide says [what is covered where](guide/where-it-runs.md).

${markdownTable([
  ['what', 'measured', 'goal', 'reached'],
  ['Injections', results.length, '2,000', reached(results.length >= 2_000)],
  ['Injections after which anything was left or the next run failed', left, '0', reached(left === 0)],
  ['Clean-up of all others, 95th percentile', seconds(p95), `${goalMs / 1000} s`, reached(p95 !== null && p95 <= goalMs)],
  [
    `The same of the ${since.length} since engines have a guardian`,
    seconds(p95Since),
    `${goalMs / 1000} s`,
    reached(p95Since !== null && p95Since <= goalMs),
  ],
  ['Injections into an engine whose event loop is busy', blocked.length, '500', reached(blocked.length >= 500)],
  ['Of these: after which anything was left or the next run failed', blocked.filter(hasLeft).length, '0', reached(!blocked.some(hasLeft))],
  [
    'Their clean-up, 95th percentile (it is ended by force after 3 s)',
    seconds(quantile(blockedTimes, 0.95)),
    `${blockedGoalMs / 1000} s`,
    reached((quantile(blockedTimes, 0.95) ?? Infinity) <= blockedGoalMs),
  ],
  [
    `The last ${newest.length}, of the newest code: after which anything was left or the next run failed`,
    newest.filter(hasLeft).length,
    '0',
    reached(!newest.some(hasLeft)),
  ],
  ['Writers of the store killed', sum((one) => one.kills), '10,000', reached(sum((one) => one.kills) >= 10_000)],
  ['Acknowledged runs lost', `${sum((one) => one.lost)} of ${sum((one) => one.acknowledged)}`, '0', reached(sum((one) => one.lost) === 0)],
  ['Runs half visible', sum((one) => one.halfVisible), '0', reached(sum((one) => one.halfVisible) === 0)],
  [
    'Unfinished folders that the next sweep left',
    `${sum((one) => one.notSwept)} of ${sum((one) => one.unfinished)}`,
    '0',
    reached(sum((one) => one.notSwept) === 0),
  ],
  ...versionRows(versionKills, reached),
])}

${circumstances(results)}

${versionMoments(versionKills)}

## What was left

${findings(results)}

## By fault

${by(
  'fault',
  results,
  faults.map(({ name, label }) => ({ label, of: ({ fault }) => fault === name })),
)}

## By activity and phase

${by(
  'activity',
  results,
  activities.map((name) => ({ label: name, of: ({ activity }) => activity === name })),
)}

${by(
  'phase',
  results,
  Object.keys(phaseSpans).map((name) => ({ label: name, of: ({ phase }) => phase === name })),
)}

## Files and messages that may come from anybody

\`npm run bench fuzz\` gives every reader inputs that are small real files changed in their structure and their bytes, and random bytes; the goal is a million each. An input must be read into what
holds together, or be refused as is declared, within a second of processor time and 512 MB. Each can be made again from its number (\`--readers NAME --only NUMBER\`); counts go to
\`test/bench/fuzz/results\` and a later call goes on from there. “any” is a file whose format is not known beforehand.

${countedTable()}

## An hour of use

\`npm run bench soak\` lets one engine run benchmarks and open profiles, opens and closes the panel, and starts and stops other engines. After a quarter of the time, heap after collection may grow by no
more than 1 MB an hour in engine, client and panel, and descriptors not at all. The growth is the slope of a straight line, with its 95 % interval.

The first of these soaks is from before its findings were fixed, the second from between the fixes; the end of this page explains the growth of the third. In the first three “client” is the bench itself with Chromium’s
driver and the servers of its page; after them it is a client alone. “Compiled once”: engine and client compile each function whole when it is first called, and never optimise it.


With \`--snapshots FOLDER\` two heap snapshots, after a quarter of the time and at the end, show what grew between them: the program’s own objects, texts and closures, and compiled code. The amount of
code is bounded by the size of the program, though the last of it is compiled hours after the first; objects leak. So the goal counts as reached where the whole heap grows by at most 1 MB
an hour, or where the objects do; compiled code is listed separately.

${soakTable()}
`;
  const file = path.join(repositoryDir, 'docs', 'reliability.md');
  const [, kept = ''] = readFileSync(file, 'utf8').split(byHand);
  writeFileSync(file, `${page}\n${byHand}${kept}`);
  console.log('docs/reliability.md is written.');
}
