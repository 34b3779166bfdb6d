import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asTuneRequest, parseSavedRequest, readSavedRequests, saveRequest } from '../../../src/engine/run/tuning/savedRequestFiles.ts';
import { resolveRequestMix } from '../../../src/engine/load/requestMix.ts';
import { completeSettings } from '../../../src/engine/targets/launchTarget.ts';
import { findTarget, readDeclarations } from '../../../src/engine/targets/catalog.ts';
import { combinations } from '../../../src/engine/run/plan.ts';
import { type Failure, FailureError } from '../../../src/model/domain/failure.ts';
import { type SavedRequest, tuneRequestSchema } from '../../../src/model/domain/tuning.ts';

const repositoryDir = path.resolve(import.meta.dirname, '../../..');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-experiments-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  const file = path.join(folder, 'profiles', 'experiments', name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
  throw new Error('it did not fail');
}

async function refusal(work: Promise<unknown>): Promise<Failure> {
  const thrown: unknown = await work.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  return failureOf(() => {
    throw thrown;
  });
}

const pool = '{ "name": "mine", "targets": ["shop"], "settings": { "pool": [2, 4, 8] } }';
const parsed: SavedRequest = parseSavedRequest(pool, 'mine.json');

describe('experiments as files', () => {
  it('that are bundled name targets, settings, values, routes and loads that there are', async () => {
    const declarations = await readDeclarations(repositoryDir, null);
    const { savedRequests, problems } = await readSavedRequests(repositoryDir, null);
    expect(problems).toEqual([]);
    expect(savedRequests.map((one) => one.name)).toEqual(['java-pool', 'java-pool-threads', 'node-pool']);
    for (const one of savedRequests) {
      expect(one.description).toMatch(/\.$/);
      expect(declarations.loadProfiles.map(({ profile }) => profile.name)).toContain(one.load);
      const largest = Math.max(...(one.settings['pool'] ?? []).map(Number));
      expect(one.connections).toBeGreaterThanOrEqual(2 * largest);
      for (const id of one.targets) {
        const { target } = findTarget(declarations, id);
        for (const values of combinations(one.settings)) completeSettings(id, target.settings, values);
        resolveRequestMix({ targetId: id, routes: target.routes, route: one.route });
      }
    }
  });

  it('of the workspace come with the bundled ones, and before one of the same name', async () => {
    write('mine.json', `// ours\n${pool.replace(' }\n', ',}')}`);
    write('again.json', '{ "name": "java-pool", "targets": ["shop"], "settings": { "pool": [1, 2] } }');
    write('notes.txt', 'not one');
    const { savedRequests, problems } = await readSavedRequests(repositoryDir, folder);
    expect(problems).toEqual([]);
    expect(savedRequests.map(({ name, origin, targets }) => [name, origin, targets[0]])).toEqual([
      ['java-pool', 'workspace', 'shop'],
      ['java-pool-threads', 'bundled', 'java'],
      ['mine', 'workspace', 'shop'],
      ['node-pool', 'bundled', 'node'],
    ]);
  });

  it('are listed once where the workspace is the folder of the bundled ones', async () => {
    const { savedRequests } = await readSavedRequests(repositoryDir, repositoryDir);
    expect(savedRequests.map((one) => one.origin)).toEqual(['bundled', 'bundled', 'bundled']);
  });

  it('that cannot be used are problems, and the others are still there', async () => {
    write('a.json', pool);
    write('b.json', '{ "name": "b", "targets": [] }');
    write('c.json', pool);
    mkdirSync(path.join(folder, 'profiles', 'experiments', 'd.json'));
    const { savedRequests, problems } = await readSavedRequests(folder, null);
    expect(savedRequests.map((one) => one.name)).toEqual(['mine']);
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['experiment-file', expect.stringMatching(/^b\.json:1:16: targets: /)],
      ['experiment-file', 'c.json: name: “mine” is already the name of another experiment here.'],
      ['experiment-file', expect.stringMatching(/^d\.json: it cannot be read/)],
    ]);
  });

  it.each([
    ['', /^x\.json:1:1: /],
    ['{ "name": "a",\n  "targets" ["x"] }', /^x\.json:2:13: colon expected\.$/],
    ['{ "name": "A b", "targets": ["x"], "settings": {} }', /^x\.json:1:3: name: a name is lower-case letters/],
    ['{\n "name": "a", "targets": ["x"], "settings": { "pool": [] } }', /^x\.json:2:47: settings\.pool: /],
    [
      '{ "name": "a", "targets": ["x"], "settings": {},\n "buget": 5 }',
      /^x\.json:2:2: buget: there is no such key here; the nearest one is “budgetS”\.$/,
    ],
    ['{ "name": "a", "targets": ["x"], "settings": {},\n\n "slo": {} }', /^x\.json:3:2: slo: an objective needs at least one limit/],
    ['[]', /^x\.json:1:1: /],
    [' '.repeat(300_000), /too large/],
  ])('name line and column of what is wrong: %#', (text, message) => {
    const failed = failureOf(() => parseSavedRequest(text, '/srv/x.json'));
    expect(failed.message).toMatch(message);
    expect(failed.detail).toContain('/srv/x.json');
  });

  it('become a request by leaving out what only names them', () => {
    const request = asTuneRequest({ ...parsed, $schema: 'x', description: 'd' });
    expect(tuneRequestSchema.parse(request)).toEqual(request);
    expect(request).toMatchObject({ targets: ['shop'], settings: { pool: [2, 4, 8] }, load: 'steady', budgetS: 120 });
  });
});

describe('an experiment that is saved', () => {
  it('can be read again, and is never overwritten', async () => {
    const file = await saveRequest(folder, parsed);
    expect(path.relative(folder, file)).toBe(path.join('profiles', 'experiments', 'mine.json'));
    expect(parseSavedRequest(readFileSync(file, 'utf8'), file)).toEqual(parsed);
    const failed = await refusal(saveRequest(folder, { ...parsed, budgetS: 5 }));
    expect(failed).toMatchObject({ code: 'experiment-exists', cure: expect.stringContaining('another name') as string });
    expect(parseSavedRequest(readFileSync(file, 'utf8'), file).budgetS).toBe(120);
  });

  it('has a name that cannot lead out of its folder', async () => {
    await expect(saveRequest(folder, { ...parsed, name: '../../evil' })).rejects.toThrow(/name/);
  });

  it('needs a folder, and one that can be written', async () => {
    expect(await refusal(saveRequest(null, parsed))).toMatchObject({ code: 'no-workspace' });
    writeFileSync(path.join(folder, 'profiles'), 'a file');
    expect(await refusal(saveRequest(folder, parsed))).toMatchObject({ code: 'experiment-not-written' });
  });
});
