import { describe, expect, it } from 'vitest';
import { calledAsRefused, provisionalTarget } from '../../../src/engine/introspect/provisionalTarget.ts';
import type { DatabaseAddress } from '../../../src/engine/services/serverUrl.ts';
import type { RefusedLogin } from '../../../src/engine/targets/refusedLogin.ts';
import type { FoundService } from '../../../src/model/domain/detection.ts';

const known = { title: '', because: 'Main.java:6 reads DB_HOST', sure: true };
const service: FoundService = {
  id: 'shop',
  label: 'shop',
  folder: '.',
  because: '',
  driver: 'postgresql',
  findings: [
    { part: 'command', ...known, runtime: 'jvm', command: ['java', '-jar', 'a.jar'], requires: [], requiresCure: '' },
    { part: 'postgres', ...known, env: { host: 'DB_HOST', port: 'DB_PORT' } },
  ],
  questions: [],
};
const own = { host: '127.0.0.1', port: 1, external: false } as DatabaseAddress;

/** What the database of the service is called next. */
function calledNext(login: RefusedLogin | null, address: DatabaseAddress | null = own): string | null {
  const named = calledAsRefused({ service, address }, login);
  return named === null ? null : (provisionalTarget(named, '/').declared.target.postgres?.database ?? null);
}

describe('the database of a service whose code has its name', () => {
  it('is called so on Benchside’s own server, once', () => {
    expect(calledNext({ what: 'database', name: 'conduit' })).toBe('conduit');
    const named = calledAsRefused({ service, address: own }, { what: 'database', name: 'conduit' });
    expect(named === null ? null : calledAsRefused({ service: named, address: own }, { what: 'database', name: 'other' })).toBeNull();
  });

  it.each<[string, RefusedLogin | null, DatabaseAddress | null]>([
    ['nothing was refused', null, own],
    ['a role was', { what: 'role', name: 'conduit' }, own],
    ['the server is the user’s', { what: 'database', name: 'conduit' }, { ...own, external: true }],
    ['it was given none', { what: 'database', name: 'conduit' }, null],
    ['a target may not call it so', { what: 'database', name: 'Conduit-dev' }, own],
    ['the server has that for itself', { what: 'database', name: 'postgres' }, own],
  ])('keeps its name where %s', (_case, login, address) => {
    expect(calledNext(login, address)).toBeNull();
  });
});
