import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { judgePostgresRelease } from '../../../src/engine/observe/postgresReleases.ts';
import releases from '../../../src/engine/observe/postgresReleases.json' with { type: 'json' };
import { readMachine } from '../../../src/engine/observe/readMachine.ts';
import { machineFactsSchema } from '../../../src/model/domain/machineFacts.ts';

const tools = {
  node: 'v20.20.0',
  java: null,
  maven: null,
  postgres: null,
  git: null,
  k6: { version: null, cure: '' },
  pgbouncer: { version: null, cure: '' },
};

describe('reading a machine', () => {
  it('gives facts of the agreed shape, and can be aborted', async () => {
    const options = { storageDir: tmpdir(), tools };
    const facts = await readMachine({ ...options, meanwhile: () => Promise.resolve() });
    expect(machineFactsSchema.parse(JSON.parse(JSON.stringify(facts)))).toEqual(facts);
    expect(facts.freeDiskBytes).toBeGreaterThan(0);
    expect(facts.cores).toBeLessThanOrEqual(facts.machineCores);
    await expect(readMachine({ ...options, signal: AbortSignal.timeout(20) })).rejects.toThrow();
  });

  it('compares a release of PostgreSQL with the newest of its major version', () => {
    const newest = releases.newest['18'];
    expect(judgePostgresRelease(`18.${newest}`)).toEqual({ kind: 'newest' });
    expect(judgePostgresRelease('18.0')).toEqual({ kind: 'behind', newest: `18.${newest}`, releases: newest });
    expect(judgePostgresRelease(`${releases.unsupported}.1`)).toEqual({ kind: 'unsupported' });
    expect(judgePostgresRelease('99.1')).toBeNull();
    expect(judgePostgresRelease('external')).toBeNull();
  });
});
