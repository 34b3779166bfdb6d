import { failure } from '../model/domain/failure.ts';
import { onOneLine } from '../model/domain/plainText.ts';
import type { RunSummary } from '../model/domain/run.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { resolveRun } from './resolveRun.ts';
import { type EngineCommand, byEngine, command } from './command.ts';

type StoredRun = Extract<RunSummary, { kind: 'run' }>;

const described = {
  set: command({
    words: 'baseline set <run>',
    description: 'make a run the baseline of its targets',
    means: (_, run: string) => ({ run }),
  }),
  show: command({
    words: 'baseline show',
    description: 'the baselines, and on which machine they were measured',
    means: () => ({}),
  }),
  clear: command({
    words: 'baseline clear [run]',
    description: 'no longer this one, or none at all',
    means: (_, run?: string) => ({ run }),
  }),
};

const set: EngineCommand<typeof described.set> = async ({ run: reference, json: asJson }, engine, { json, tell }) => {
  const id = await resolveRun(engine, reference);
  const run = (await storedRuns(engine)).find((one) => one.id === id);
  if (run === undefined) throw failure('run-not-found', `The run ${id} cannot be read.`, 'See “benchside runs”.');
  // Of the same targets one counts.
  for (const other of await pinned(engine)) if (other.id !== id && targetsOf(other) === targetsOf(run)) await mark(engine, other, false);
  await mark(engine, run, true);
  if (asJson) json({ baseline: about(run) });
  else tell(`${run.id} is the baseline of ${onOneLine(run.targets.join(', '))} now, on ${await machineOf(engine, id)}.`);
  return 0;
};

const show: EngineCommand<typeof described.show> = async ({ json: asJson }, engine, { print, json }) => {
  const baselines = await Promise.all(
    (await pinned(engine)).map(async (run) => ({ ...about(run), machine: await machineOf(engine, run.id) })),
  );
  if (asJson) json({ baselines });
  else if (baselines.length === 0) print('No run is the baseline. Make one so with “benchside baseline set RUN”.');
  else
    for (const { run, startedAt, headline, machine } of baselines)
      print(onOneLine(`${run}  ${startedAt.slice(0, 16).replace('T', ' ')}  ${headline}  (${machine})`));
  return 0;
};

const clear: EngineCommand<typeof described.clear> = async ({ run: reference, json: asJson }, engine, { json, tell }) => {
  const id = reference === undefined ? null : await resolveRun(engine, reference);
  const cleared = (await pinned(engine)).filter((run) => id === null || run.id === id);
  for (const run of cleared) await mark(engine, run, false);
  if (asJson) json({ cleared: cleared.map((run) => run.id) });
  else tell(cleared.length === 0 ? 'There was no baseline to clear.' : `Cleared: ${cleared.map((run) => run.id).join(', ')}.`);
  return 0;
};

/** `benchside baseline set|show|clear`: the runs that later ones of the same targets are compared with. */
export const baselineCommands = [
  byEngine(described.set, () => Promise.resolve(set)),
  byEngine(described.show, () => Promise.resolve(show)),
  byEngine(described.clear, () => Promise.resolve(clear)),
];

async function pinned(engine: EngineClient): Promise<StoredRun[]> {
  return (await storedRuns(engine)).filter(({ marks }) => marks.baseline);
}

function mark(engine: EngineClient, { id, marks }: StoredRun, baseline: boolean): Promise<unknown> {
  return engine.request('runs/mark', { id, marks: { ...marks, baseline } });
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

function about({ id, startedAt, headline, targets }: StoredRun) {
  return { run: id, startedAt, headline, targets };
}
