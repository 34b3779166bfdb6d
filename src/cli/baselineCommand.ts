import { failure } from '../model/domain/failure.ts';
import { onOneLine } from '../model/domain/plainText.ts';
import type { RunSummary } from '../model/domain/run.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { resolveRun } from './resolveRun.ts';
import { type Given, byEngine } from './command.ts';
import type { Terminal } from './terminal.ts';

type StoredRun = Extract<RunSummary, { kind: 'run' }>;

/** What `benchside baseline` is to do. */
type BaselineAsked = { action: 'set'; run: string } | { action: 'show' } | { action: 'clear'; run: string | null };

/** `benchside baseline set|show|clear`: the runs that later ones of the same targets are compared with. */
async function baseline(asked: Given<BaselineAsked>, engine: EngineClient, { print, json, tell }: Terminal): Promise<number> {
  const pinned = (await storedRuns(engine)).filter(({ marks }) => marks.baseline);
  const mark = (run: StoredRun, is: boolean): Promise<unknown> =>
    engine.request('runs/mark', { id: run.id, marks: { ...run.marks, baseline: is } });
  if (asked.action === 'show') {
    const shown = await Promise.all(pinned.map(async (run) => ({ ...about(run), machine: await machineOf(engine, run.id) })));
    if (asked.json) json({ baselines: shown });
    else if (shown.length === 0) print('No run is the baseline. Make one so with “benchside baseline set RUN”.');
    else
      for (const one of shown)
        print(onOneLine(`${one.run}  ${one.startedAt.slice(0, 16).replace('T', ' ')}  ${one.headline}  (${one.machine})`));
    return 0;
  }
  if (asked.action === 'clear') {
    const id = asked.run === null ? null : await resolveRun(engine, asked.run);
    const cleared = pinned.filter((run) => id === null || run.id === id);
    for (const run of cleared) await mark(run, false);
    if (asked.json) json({ cleared: cleared.map((run) => run.id) });
    else tell(cleared.length === 0 ? 'There was no baseline to clear.' : `Cleared: ${cleared.map((run) => run.id).join(', ')}.`);
    return 0;
  }
  const id = await resolveRun(engine, asked.run);
  const run = (await storedRuns(engine)).find((one) => one.id === id);
  if (run === undefined) throw failure('run-not-found', `The run ${id} cannot be read.`, 'See “benchside runs”.');
  // Of the same targets one counts.
  for (const other of pinned) if (other.id !== id && targetsOf(other) === targetsOf(run)) await mark(other, false);
  await mark(run, true);
  if (asked.json) json({ baseline: about(run) });
  else tell(`${run.id} is the baseline of ${onOneLine(run.targets.join(', '))} now, on ${await machineOf(engine, id)}.`);
  return 0;
}

/** The baseline that a run is to be compared with: that of its targets. Fails with `run-not-found`. */
export async function baselineFor(engine: EngineClient, id: string): Promise<string> {
  const runs = await storedRuns(engine);
  const run = runs.find((one) => one.id === id);
  const found = runs.find((one) => one.marks.baseline && one.id !== id && run !== undefined && targetsOf(one) === targetsOf(run));
  if (found === undefined)
    throw failure(
      'run-not-found',
      'There is no baseline of the same targets.',
      'Make a run the baseline with “benchside baseline set RUN”.',
    );
  return found.id;
}

/** What of a machine must agree for figures of two runs to be set against each other. */
export async function machineOf(engine: EngineClient, id: string): Promise<string> {
  const { run } = await engine.request('runs/get', { id });
  const { cpuModel, cores, platform } = run.environment;
  return onOneLine(`${cpuModel}, ${cores} cores, ${platform}`);
}

async function storedRuns(engine: EngineClient): Promise<StoredRun[]> {
  return (await engine.request('runs/list', {})).runs.filter((run) => run.kind === 'run');
}

function targetsOf({ targets }: StoredRun): string {
  return JSON.stringify([...targets].sort());
}

function about({ id, startedAt, headline, targets }: StoredRun): { run: string; startedAt: string; headline: string; targets: string[] } {
  return { run: id, startedAt, headline, targets };
}

const load = () => Promise.resolve(baseline);

export const baselineCommands = [
  byEngine(
    {
      words: 'baseline set <run>',
      description: 'make a run the baseline of its targets',
      means: (_, run: string): BaselineAsked => ({ action: 'set', run }),
    },
    load,
  ),
  byEngine(
    {
      words: 'baseline show',
      description: 'the baselines, and on which machine they were measured',
      means: (): BaselineAsked => ({ action: 'show' }),
    },
    load,
  ),
  byEngine(
    {
      words: 'baseline clear [run]',
      description: 'no longer this one, or none at all',
      means: (_, run?: string): BaselineAsked => ({ action: 'clear', run: run ?? null }),
    },
    load,
  ),
];
