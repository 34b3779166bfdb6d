import { describe, expect, it } from 'vitest';
import { exportPlan } from '../../../src/engine/cluster/exportPlan.ts';
import { loadProfileSchema } from '../../../src/model/domain/loadProfile.ts';
import { k6ExportNoteSchema } from '../../../src/model/domain/k6ExportNotes.ts';
import { runRequestSchema } from '../../../src/model/domain/run.ts';
import { declared } from '../../support/declaredTarget.ts';

const load = loadProfileSchema.parse({ name: 'mine', connections: 8, rounds: 2 });
const declarations = { targets: [declared('node')], loadProfiles: [], postgresUrl: null, problems: [], starts: '' };

function exported(asked: Record<string, unknown>) {
  const request = runRequestSchema.parse({ targets: ['node'], settings: { pool: [2, 4] }, rounds: 3, ...asked });
  return exportPlan({ request, load }, declarations, { url: 'http://shop:8080', parallelism: 1 });
}

describe('an export for k6', () => {
  it('notes nothing of a request that a folder for k6 has whole', () => {
    expect(exported({}).notes).toEqual([]);
    expect(exported({ mode: 'auto', confirm: false }).notes).toEqual([]);
  });

  it.each([
    ['fresh', { confirm: true }],
    ['recording', { record: {} }],
    ['raw', { raw: {} }],
    ['topology', { topology: { cpuShare: 0.5 } }],
    ['mode', { mode: 'live' }],
    ['fewest-rounds', { rounds: undefined }],
  ])('notes %s alone where the request asks for that alone', (note, asked) => {
    expect(exported(asked).notes).toEqual([note]);
  });

  it('notes all of them in one order, whatever the order of the request', () => {
    const all = { rounds: undefined, mode: 'live', raw: {}, topology: { cpuShare: 0.5 }, record: {}, confirm: true };
    expect(exported(all).notes).toEqual(k6ExportNoteSchema.options);
  });

  it('leaves out of the request of the plan what a cluster does not do', () => {
    const { plan } = exported({ confirm: true, record: {}, raw: {}, topology: { cpuShare: 0.5 } });
    expect(Object.keys(plan.request).filter((name) => ['confirm', 'record', 'raw'].includes(name))).toEqual([]);
    expect(plan.request).toHaveProperty('topology.cpuShare', 0.5);
  });
});
