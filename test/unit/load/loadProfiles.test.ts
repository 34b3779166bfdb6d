import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileRoles } from '../../../src/engine/load/scenario/compileRoles.ts';
import { rolesBlock } from '../../../src/engine/load/scenario/rolesPlan.ts';
import { findLoadProfile, parseLoadProfile, readLoadProfiles } from '../../../src/engine/load/loadProfiles.ts';
import { readDeclarations } from '../../../src/engine/targets/catalog.ts';
import { type Failure, toFailure } from '../../../src/model/domain/failure.ts';

const bundled = path.resolve(import.meta.dirname, '../../../profiles');

function failureOf(action: () => unknown): Failure {
  try {
    action();
  } catch (error) {
    return toFailure(error);
  }
  throw new Error('nothing failed');
}

describe('the bundled load profiles', () => {
  it('are valid and carry the name of their file', async () => {
    const profiles = await readLoadProfiles(bundled);
    expect(profiles.map((profile) => profile.name)).toEqual(['ladder', 'mixed', 'quick', 'ramp', 'smoke', 'soak', 'spike', 'steady']);
    for (const profile of profiles) expect(profile.description).not.toBe('');
  });

  it('have what they are used for', async () => {
    const profiles = await readLoadProfiles(bundled);
    expect(findLoadProfile(profiles, 'ladder').connections).toEqual([1, 2, 4, 8, 16, 32, 64]);
    expect(findLoadProfile(profiles, 'quick')).toMatchObject({ connections: 32, durationS: 1, settleS: 0.4, rounds: 4, budgetS: 60 });
    expect(findLoadProfile(profiles, 'mixed').mix?.reduce((sum, entry) => sum + entry.weight, 0)).toBe(100);
  });

  it('and the lab’s have stages that leave something to be measured, and roles that make sense', async () => {
    const profiles = (await readDeclarations(path.dirname(bundled), null)).loadProfiles.map(({ profile }) => profile);
    for (const name of ['ramp', 'spike', 'soak', 'roles']) {
      const { stages = [], roles = [], settleS } = findLoadProfile(profiles, name);
      const plan = { host: '127.0.0.1', port: 1, roles, stages, settleMs: settleS * 1000, timeoutMs: 1000, seed: 1 };
      expect(rolesBlock(plan).windowMs).toBeGreaterThanOrEqual(30_000);
      expect(compileRoles(roles).roles.length).toBe(name === 'roles' ? 3 : 0);
    }
  });

  it('that does not exist fails with those that do', async () => {
    const profiles = await readLoadProfiles(bundled);
    expect(failureOf(() => findLoadProfile(profiles, 'brutal'))).toMatchObject({
      code: 'unknown-load-profile',
      cure: 'Use one of ladder, mixed, quick, ramp, smoke, soak, spike, steady.',
    });
  });
});

describe('a load profile that is wrong', () => {
  it.each([
    ['{ "name": "x", "connections": 0 }', 'connections'],
    ['{ "name": "x", "connections": 8, "warmUp": { "minS": 9, "maxS": 5, "jvmMaxS": 8 } }', 'warmUp'],
    ['{ "name": "x", "connections": 8, "mix": [{ "route": "GET /", "weight": -1 }] }', 'mix.0.weight'],
    ['{ "name": "x", "connections": 8, "durration": 5 }', 'durration'],
    ['{ "name": "x", "connections": 8, "stages": [{ "users": 0, "seconds": 9 }] }', 'stages'],
    ['{ "name": "x", "connections": 8, "stages": [{ "users": 5, "seconds": 0 }] }', 'stages'],
    ['{ "name": "x", "connections": 8, "requests": 0 }', 'requests'],
    ['{ "name": "x", "connections": 8, "roles": [{ "name": "guest", "weight": 1, "steps": [] }] }', 'roles.0.steps'],
    ['{ "name": "x", ', 'JSON'],
  ])('%s fails with the file and %s', (text, field) => {
    const problem = failureOf(() => parseLoadProfile(text, 'profiles/x.json'));
    expect(problem.code).toBe('load-profile-invalid');
    expect(problem.message).toContain('profiles/x.json');
    expect(problem.message).toContain(field);
  });

  it('has the name of another', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'benchside-profiles-'));
    try {
      for (const file of ['a.json', 'b.json']) await writeFile(path.join(directory, file), '{ "name": "same", "connections": 1 }');
      await expect(readLoadProfiles(directory)).rejects.toMatchObject({
        failure: { code: 'load-profile-invalid', message: expect.stringContaining('b.json') as unknown },
      });
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('is in a folder that is not there', async () => {
    await expect(readLoadProfiles('/nowhere')).rejects.toMatchObject({ failure: { code: 'load-profiles-missing' } });
  });
});
