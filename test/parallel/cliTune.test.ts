import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/model/domain/run.ts';
import { appTarget, removeTemporaryFolders, repositoryDir, temporaryFolder, writeWorkspaceFile } from '../support/engine.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

let workspaceDir: string;
let storageDir: string;

beforeAll(() => {
  workspaceDir = temporaryFolder('workspace');
  storageDir = temporaryFolder('storage');
  writeWorkspaceFile(workspaceDir, { targets: [appTarget('good', 'steadyService.mjs', { label: 'Good' })] });
});
afterAll(removeTemporaryFolders);

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `benchside` as a user does. */
async function benchside(...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [path.join(repositoryDir, 'dist/cli.cjs'), ...args], {
    cwd: workspaceDir,
    env: { ...process.env, BENCHSIDE_STORAGE: storageDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ended.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ended.stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { ...ended, code };
}

const number = expect.any(Number) as number;
const experimentsDir = (): string => path.join(workspaceDir, 'profiles', 'experiments');

describe('benchside experiment', () => {
  it(
    'prints one document with the answer, every value and what must be known, and exits with 3 when its objective is missed',
    { timeout: 60_000, ...longTest },
    async () => {
      writeFileSync(
        path.join(workspaceDir, 'mine.json'),
        `{ "name": "mine", "targets": ["good"], "settings": { "pool": [2, 8] }, // two
         "load": "brief", "budgetS": 15, "blockS": 0.5, "delta": 0.5, "mode": "process-per-setting", "slo": { "throughput": 900000000 }, }`,
      );
      const { code, stdout, stderr } = await benchside('experiment', './mine.json', '--json');
      expect({ lines: stdout.trim().split('\n').length, stderr }).toEqual({
        lines: 1,
        stderr: expect.stringMatching(/Run [a-z0-9]+-[a-f0-9]{24}\n/) as string,
      });
      const document = JSON.parse(stdout) as { recommendation: { status: string; value: unknown }; settings: { ratioToBest: object }[] };
      expect(Object.keys(document)).toEqual(['recommendation', 'settings', 'verdictNotes']);
      expect(['confirmed', 'plausible', 'undecided']).toContain(document.recommendation.status);
      for (const one of document.settings) expect(Object.keys(one.ratioToBest)).toEqual(['mean', 'ciLow', 'ciHigh']);
      const row = (value: number): unknown => ({
        value,
        throughput: { mean: number },
        p99Ms: number,
        valid: expect.any(Boolean) as boolean,
        reasons: expect.any(Array) as string[],
      });
      expect(document).toMatchObject({
        recommendation: { setting: 'pool', why: expect.stringMatching(/\.$/) as string },
        settings: [row(2), row(4), row(8)],
        verdictNotes: expect.arrayContaining([
          expect.stringMatching(/^How the values were set: process-per-setting/) as string,
        ]) as string[],
      });
      expect(stderr).toMatch(/^Round 1.* · Good: .* · \d+ of 15 s$/m);
      // Only a valid trial of a recommended value can miss an objective; on a machine that is too busy it was not shown to hold.
      const id = /Run (\S+)\n/.exec(stderr)?.[1] ?? '';
      const { trials } = JSON.parse(readFileSync(path.join(workspaceDir, '.benchside', 'runs', id, 'run.json'), 'utf8')) as Pick<
        RunRecord,
        'trials'
      >;
      const isMissed = trials.some((trial) => trial.settings['pool'] === document.recommendation.value && trial.valid);
      expect({ code, stderr }).toEqual({
        code: isMissed ? 3 : 1,
        stderr: expect.stringMatching(
          isMissed
            ? /Objective missed by Good · pool \d: throughput .* \(limit ≥ 900000000 req\/s\)/
            : /not shown that the objective holds/,
        ) as string,
      });
    },
  );

  it('lists what there is, and names file and line of what cannot be used', async () => {
    mkdirSync(experimentsDir(), { recursive: true });
    writeFileSync(path.join(experimentsDir(), 'ours.json'), '{ "name": "ours", "targets": ["good"], "settings": { "pool": [2, 8] } }');
    writeFileSync(path.join(experimentsDir(), 'broken.json'), '{\n  "name": "broken"\n  "targets": []\n}\n');
    const { code, stdout } = await benchside('experiment', '--list');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^java-pool {2,}How many database connections.*\(bundled\)$/m);
    expect(stdout).toMatch(/^ours {2,}good: pool 2, 8 \(workspace\)$/m);
    expect(stdout).toMatch(/^✗ broken\.json:3:3: comma expected\./m);
  });
});

describe('benchside tune', () => {
  it('keeps what was asked for under a name, once, and says when the time is too short to say anything', slowHalf, async () => {
    const words = ['tune', '--target', 'good', '--set', 'pool=2..8', '--load', 'brief', '--budget', '2', '--save', 'three-pools', '--json'];
    const first = await benchside(...words);
    const failed = JSON.parse(first.stdout) as { failure: { code: string; cure: string } };
    expect({ code: first.code, failure: failed.failure.code }).toEqual({ code: 1, failure: 'budget-short' });
    expect(failed.failure.cure).toMatch(/^Allow \d+ s or more/);
    expect(first.stderr).toContain(failed.failure.cure);
    const saved: unknown = JSON.parse(readFileSync(path.join(experimentsDir(), 'three-pools.json'), 'utf8'));
    expect(saved).toMatchObject({ name: 'three-pools', settings: { pool: [2, 4, 8] }, budgetS: 2 });
    expect(JSON.parse((await benchside(...words)).stdout)).toMatchObject({ failure: { code: 'experiment-exists' } });
  });

  it('says which settings there are, and is wrong usage with a range that is none', async () => {
    const unknown = await benchside('tune', '--target', 'good', '--set', 'pol=2,4', '--load', 'brief');
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toMatch(/has a setting “pol”\.\nThey have: pool\./);
    const { code, stderr } = await benchside('tune', '--target', 'good', '--set', 'pool=64..2');
    expect(code).toBe(2);
    expect(stderr).toContain('“64..2”: a range goes from a number above 0 to a larger one');
  });
});
