import { failure } from '../model/domain/failure.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';

/** A run by its id, the beginning of it, or as "last" or "previous". */
export async function resolveRun(engine: EngineClient, reference: string): Promise<string> {
  const { runs: list } = await engine.request('runs/list', {});
  const readable = list.filter((one) => one.kind === 'run');
  const byWord = reference === 'last' ? readable[0] : reference === 'previous' ? readable[1] : undefined;
  const matches = byWord === undefined ? list.filter((one) => one.id.startsWith(reference)) : [byWord];
  const [match] = matches;
  if (match === undefined && readable.length === 0)
    throw failure('run-not-found', 'This folder has no run yet.', 'Make one with “benchside run”.');
  if (match === undefined && reference === 'previous')
    throw failure('run-not-found', 'This folder has only one run.', 'Make another one, or name two; see “benchside runs”.');
  if (match === undefined) throw failure('run-not-found', `There is no run “${reference}” in this folder.`, 'See “benchside runs”.');
  if (matches.length > 1)
    throw failure(
      'run-not-found',
      `“${reference}” is the beginning of ${matches.length} runs.`,
      'Give more of the id; see “benchside runs”.',
    );
  return match.id;
}

/** A run as {@link resolveRun} takes it, or an advice by its id or the beginning of it. */
export async function resolveStored(engine: EngineClient, reference: string): Promise<{ kind: 'run' | 'advice'; id: string }> {
  const { advice } = await engine.request('advice/list', {});
  const matches = advice.filter(({ id }) => id.startsWith(reference));
  const [match] = matches;
  if (match === undefined || matches.length > 1) return { kind: 'run', id: await resolveRun(engine, reference) };
  const { runs } = await engine.request('runs/list', {});
  if (runs.some(({ id }) => id.startsWith(reference)))
    throw failure(
      'run-not-found',
      `“${reference}” is the beginning of a run and of an advice.`,
      'Give more of the id; see “benchside runs”.',
    );
  return { kind: 'advice', id: match.id };
}
