import { describe, expect, it } from 'vitest';
import { resolveRun } from '../../../src/cli/resolveRun.ts';
import type { EngineClient } from '../../../src/engine/rpc/engineClient.ts';

/** An engine that knows runs of these ids, the newest first. */
function knowing(...ids: string[]): EngineClient {
  return { request: () => Promise.resolve({ runs: ids.map((id) => ({ kind: 'run', id })) }) } as unknown as EngineClient;
}

describe('a run that is named', () => {
  it.each([
    ['last', 'b2'],
    ['previous', 'a1'],
    ['a', 'a1'],
  ])('as “%s” is found', async (reference, id) => {
    expect(await resolveRun(knowing('b2', 'a1'), reference)).toBe(id);
  });

  it.each([
    ['last', [], 'This folder has no run yet.'],
    ['previous', ['a1'], 'This folder has only one run.'],
    ['c', ['b2', 'a1'], 'There is no run “c” in this folder.'],
    ['a', ['a2', 'a1'], '“a” is the beginning of 2 runs.'],
  ] as const)('as “%s” of %j is refused with what is missing', async (reference, ids, message) => {
    await expect(resolveRun(knowing(...ids), reference)).rejects.toThrow(message);
  });
});
