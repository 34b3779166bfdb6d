import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { progressOf } from '../../src/model/protocol/progress.ts';
import { failureOf, removeTemporaryFolders, TestEngine } from '../support/engine.ts';
import { waitFor } from '../support/waitFor.ts';

let engine: TestEngine;
const fractions: (number | null)[] = [];

beforeAll(async () => {
  engine = await TestEngine.start();
  progressOf(engine.client, 'check', ({ fraction }) => fractions.push(fraction));
});
afterAll(async () => {
  await engine.dispose();
  removeTemporaryFolders();
});

describe('the check of a machine', () => {
  it(
    'tells how far it is, lets nothing else be measured meanwhile, and leaves nothing running when it is cancelled',
    { timeout: 60_000 },
    async () => {
      const abort = new AbortController();
      const check = failureOf(engine.client.request('check/run', {}, abort.signal));
      await waitFor(() => fractions.length >= 3, { timeoutMs: 30_000, what: 'the first windows' });
      expect(fractions.slice(0, 3)).toEqual([0, 1 / 40, 2 / 40]);
      expect(engine.processes().length).toBeGreaterThan(0);
      expect((await failureOf(engine.measure({ kind: 'run', targets: ['node'] }))).code).toBe('run-in-progress');

      // Another one looks at the machine and does not measure: two would spoil each other.
      const other = engine.request('check/run', {});
      abort.abort();
      expect((await check).code).toBe('cancelled');
      const { resolution, unmeasured, machine } = await other;
      expect(resolution).toBeNull();
      expect(unmeasured?.code).toBe('machine-not-measured');
      expect(machine.tools.postgres).not.toBeNull();
      await waitFor(() => engine.processes().length === 0, { what: 'the end of the work' });
    },
  );
});
