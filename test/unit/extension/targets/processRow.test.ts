import { describe, expect, it } from 'vitest';
import { processRow } from '../../../../src/extension/targets/processRow.ts';
import { noJava, service, target } from '../catalogs.ts';

describe('the row of a target', () => {
  it('shows the state and the port', () => {
    expect(processRow(target({ state: 'running', port: 40123 }))).toMatchObject({
      label: 'Node sample',
      description: 'running on 40123',
      icon: 'pass-filled',
    });
    expect(processRow(target())).toMatchObject({ description: 'stopped', icon: 'circle-outline' });
    expect(processRow(target({ state: 'starting' })).icon).toBe('loading~spin');
  });

  it('is under load, and not stopped, while a run measures it', () => {
    expect(processRow(target(), {}, 'under load · pool 16')).toMatchObject({
      description: 'under load · pool 16',
      icon: 'pass-filled',
      spoken: 'Node sample, under load · pool 16',
    });
    expect(processRow(target({ state: 'running', port: 40123 }), {}, 'under load').description).toBe('running on 40123');
  });

  it('says with which values it starts when some are applied', () => {
    const row = processRow(target({ state: 'running', port: 40123 }), { pool: 16 });
    expect(row.description).toBe('running on 40123 · pool 16');
    expect(row.spoken).toContain('starts with pool 16');
    expect(processRow(target({ problem: noJava }), { pool: 16 }).description).toBe('No Java was found.');
  });

  it('says why it cannot start in place of its state, with the cure in the tooltip', () => {
    const row = processRow(target({ problem: noJava }));
    expect(row).toMatchObject({ description: 'No Java was found.', icon: 'warning' });
    expect(row.tooltip).toContain('Install a JDK 17 or later');
    expect(row.spoken).toContain('No Java was found.');
  });

  it('does not say its name twice', () => {
    const problem = { ...noJava, message: 'Node sample exited with code 3 before it was ready.' };
    expect(processRow(target({ state: 'failed', problem })).description).toBe('Node sample exited with code 3 before it was ready.');
  });

  it('lists its settings in the tooltip', () => {
    expect(processRow(target()).tooltip).toContain('| Pool size | 8 | 1 to 64 |');
  });

  it('calls an external server by what it is', () => {
    expect(processRow(service({ external: true })).description).toBe('your own server');
  });
});
