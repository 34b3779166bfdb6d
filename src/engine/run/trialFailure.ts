import type { Block, Trial, TrialFailure } from '../../model/run.ts';
import { limits } from '../statistics/judgement.ts';

/** Why nothing was measured, as a sighting’s problems say it: what starts a process names its last output, what finds it gone names its log. */
const ofStart = /Look at its last output|was not ready after|was answered with [45]\d\d/;
const ofEnd = /Look at its log/;

/** What of a `TrialSighting` is looked at. */
interface Seen {
  blocks: readonly { appEnded: string | null; postgresRestarted: boolean }[];
  problems: readonly string[];
}

/** What of the program under test failed in a trial; null when it did what it should. A measurement that is void for another cause is no failure of it. */
export function trialFailure({ blocks, problems }: Seen, trial: Pick<Trial, 'valid' | 'blocks'>): TrialFailure | null {
  if (blocks.some(({ appEnded }) => appEnded !== null)) return 'ended';
  if (problems.some((problem) => ofStart.test(problem))) return 'not-started';
  if (problems.some((problem) => ofEnd.test(problem))) return 'ended';
  if (blocks.some(({ postgresRestarted }) => postgresRestarted)) return 'database-restarted';
  return !trial.valid && trial.blocks.some(hasTooManyErrors) ? 'errors' : null;
}

function hasTooManyErrors({ valid, requests, errors }: Block): boolean {
  return !valid && errors.total > limits.errorShare * (requests + errors.total);
}

/** A trial whose program failed, with where its last words are to be found in its first reason. */
export function namingLog(trial: Trial, log: { file: string; lastLine: string } | undefined): Trial {
  const [first, ...others] = trial.reasons;
  if (trial.failed === undefined || log === undefined || first === undefined) return trial;
  const last = log.lastLine === '' || first.includes(log.lastLine) ? '' : ` The last line that it printed is “${log.lastLine}”.`;
  return { ...trial, reasons: [`${first} Its log is ${log.file} in the run’s folder.${last}`, ...others] };
}
