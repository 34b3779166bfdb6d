import { describe, expect, it } from 'vitest';
import { refusedPhrase } from '../../../src/engine/introspect/startOutput.ts';
import { refusedLogin, refusedLoginCure } from '../../../src/engine/targets/refusedLogin.ts';
import { declared } from '../../support/declaredTarget.ts';

describe('a login that PostgreSQL refuses', () => {
  it.each([
    [
      'org.postgresql.util.PSQLException: FATAL: password authentication failed for user "conduit"\n\tat org.postgresql.Driver.connect(Driver.java:1)',
      { what: 'role', name: 'conduit' },
    ],
    ['error: database "conduit-dev" does not exist', { what: 'database', name: 'conduit-dev' }],
    ['FATAL:  role "app" does not exist', { what: 'role', name: 'app' }],
    ['FATAL: permission denied for database "shop"\nDetail: User does not have CONNECT privilege.', { what: 'database', name: 'shop' }],
    // A statement that names a role, as a dump does, is no login.
    ['ERROR: role "app" does not exist', null],
    ['ERROR: relation "database" does not exist', null],
  ])('is read from “%s”', (output, expected) => {
    expect(refusedLogin(output)).toEqual(expected);
  });

  it('is cured by declaring the name of the database, or the variables of the role, with those that did not change it', () => {
    const parts = { env: { host: 'DB_HOST', port: 'DB_PORT', user: 'DB_USER' } };
    const { target } = declared('shop', { postgres: parts });
    expect(refusedLoginCure({ what: 'database', name: 'conduit' }, target)).toContain('"database": "conduit"');
    expect(refusedLoginCure({ what: 'role', name: 'conduit' }, target)).toMatch(/DB_USER does not change it.*"user" and "password"/);
    expect(refusedLoginCure({ what: 'role', name: 'conduit' }, declared('shop').target)).toMatch(
      /^That role, or its password, is its own: /,
    );
  });

  it('is what a question says before a place that refused a connection', () => {
    const output = 'FATAL: password authentication failed for user "conduit"\nconnection to localhost:5432 refused';
    expect(refusedPhrase(output)).toBe('PostgreSQL did not let it in as the role “conduit”');
    expect(refusedPhrase('Connection to localhost:5432 refused')).toBe('localhost:5432 refused a connection');
    expect(refusedPhrase('')).toBeNull();
  });
});
