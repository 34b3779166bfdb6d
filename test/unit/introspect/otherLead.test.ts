import { describe, expect, it } from 'vitest';
import { otherLead, provisionalTarget } from '../../../src/engine/introspect/provisionalTarget.ts';
import type { DatabaseAddress } from '../../../src/engine/services/serverUrl.ts';
import type { FoundService } from '../../../src/model/domain/detection.ts';
import { failure } from '../../../src/model/domain/failure.ts';

const address = { host: '127.0.0.1', port: 1 } as DatabaseAddress;

/** What is tried next with a service that was started with these variables, or led by the probe where there are none. */
function next(
  code: 'other-database' | 'target-exited' | 'target-not-ready' | 'port-taken',
  env: Record<string, string> | null,
  runtime: 'node' | 'jvm' = 'node',
): object | null {
  const findings: FoundService['findings'] = [
    {
      part: 'command',
      title: '',
      because: '',
      sure: true,
      runtime,
      command: ['node', 'a.js'],
      requires: [],
      requiresCure: '',
    },
    ...(env === null ? [] : [{ part: 'postgres' as const, title: '', because: '', sure: true, env }]),
  ];
  const service: FoundService = { id: 'shop', label: 'shop', folder: '.', because: '', driver: 'pg', findings, questions: [] };
  const other = otherLead(provisionalTarget(service, '/', address), failure(code, '', ''), '/');
  return other?.declared.target.postgres ?? null;
}

describe('a service that did not come up with its database', () => {
  it.each([
    ['other-database', { url: 'DATABASE_URL' }],
    ['target-exited', { host: 'DB_HOST', port: 'DB_PORT' }],
    ['target-not-ready', { host: 'DB_HOST', database: 'DB_NAME' }],
  ] as const)('is led there by the probe: %s', (code, env) => {
    expect(next(code, env)).toMatchObject({ env: {}, probe: true });
  });

  it('is led there by the probe of the JVM, too, and has no database where it does not come up so', () => {
    expect(next('other-database', { jdbcUrl: 'DB_URL' }, 'jvm')).toMatchObject({ env: {}, probe: true });
    expect(next('target-exited', null, 'jvm')).toBeNull();
  });

  it.each(['target-exited', 'target-not-ready'] as const)('is left to itself where the probe led it: %s', (code) => {
    expect(next(code, null)).toMatchObject({ probe: false });
  });

  it('is not started again where variables hold the address and it waits, nor after another failure', () => {
    expect(next('target-not-ready', { host: 'DB_HOST', port: 'DB_PORT' })).toBeNull();
    expect(next('target-not-ready', { url: 'DATABASE_URL' })).toBeNull();
    expect(next('port-taken', { host: 'DB_HOST' })).toBeNull();
  });
});
