import type { Failure } from '../../src/model/domain/failure.ts';
import type { RunSummary } from '../../src/model/domain/run.ts';
import type { ListedExperiment, Requirement } from '../../src/model/domain/experiment.ts';
import type { IconName } from '../kit/controls/icons.ts';

/** The experiments by publication (the letter of their ids), both in the order of the alphabet. */
export function byPublication(experiments: readonly ListedExperiment[]) {
  const sorted = [...experiments].sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
  return [...new Set(sorted.map((experiment) => experiment.id.charAt(0)))].map((letter) => {
    const own = sorted.filter((experiment) => experiment.id.startsWith(letter));
    return { letter, source: own[0]?.source ?? '', experiments: own };
  });
}

const requirementNames: Readonly<Record<Requirement, string>> = {
  java: 'Java',
  'virtual-threads': 'JDK 21 or later',
  'unpinned-monitors': 'JDK 24 or later',
  postgres: 'PostgreSQL',
  documents: 'the document store',
  nginx: 'nginx',
  pgbouncer: 'PgBouncer',
  php: 'Apache with PHP',
  openssl: 'OpenSSL',
};

/** "Java, PostgreSQL"; empty when nothing is needed but Node. */
export function requirementsPhrase(needs: readonly Requirement[]): string {
  return needs.map((need) => requirementNames[need]).join(', ');
}

/** "about 2 min", "about 40 s", "about 12 h": as exactly as an estimate is. */
export function aboutPhrase(seconds: number): string {
  if (seconds < 90) return `about ${Math.max(5, Math.round(seconds / 5) * 5)} s`;
  if (seconds < 5400) return `about ${Math.round(seconds / 60)} min`;
  if (seconds < 36_000) return `about ${Number((seconds / 3600).toFixed(1))} h`;
  return `about ${Math.round(seconds / 3600)} h`;
}

/** "2 min": a time without "about", for a narrow place. */
export function shortTime(seconds: number): string {
  return seconds < 5400 && seconds >= 90 ? `${Math.round(seconds / 60)} min` : aboutPhrase(seconds).replace('about ', '');
}

/** When the last run of an experiment began, where it is still there. */
export function lastRunOf(experiment: ListedExperiment, runs: readonly RunSummary[] | null): { id: string; startedAt: string } | null {
  const run = experiment.lastRunId === null ? undefined : runs?.find((one) => one.id === experiment.lastRunId);
  return run?.kind === 'run' ? { id: run.id, startedAt: run.startedAt } : null;
}

/** The published experiments, and what is wrong with their files. */
export interface ListedExperiments {
  list: readonly ListedExperiment[];
  problems: readonly Failure[];
}

/** The icon and the colour of yes, no and what is only seen. */
export function agreementMark(agrees: boolean | null): { icon: IconName; kind: 'good' | 'bad' | 'plain' } {
  if (agrees === null) return { icon: 'info', kind: 'plain' };
  return agrees ? { icon: 'check', kind: 'good' } : { icon: 'warning', kind: 'bad' };
}

/** "agrees", "does not agree", "only seen": short, for lists. */
export function agreementWord(agrees: boolean | null): string {
  if (agrees === null) return 'only seen';
  return agrees ? 'agrees' : 'does not agree';
}
