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
    [
      'org.postgresql.util.PSQLException: The authentication type 10 is not supported. Check that you have configured the pg_hba.conf file',
      { what: 'method', name: 'SCRAM' },
    ],
    ['psycopg2.OperationalError: SCRAM authentication requires libpq version 10 or above', { what: 'method', name: 'SCRAM' }],
    ['Error: Unknown authenticationOk message type Message { name: "authenticationOk" }', { what: 'method', name: 'SCRAM' }],
    ['authentication type 5 is not supported', null],
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

  it('is cured by a later driver where the client does not know how to sign in', () => {
    expect(refusedLoginCure({ what: 'method', name: 'SCRAM' }, declared('shop').target)).toMatch(
      /later driver.*pgjdbc from 42\.2.*--postgres-url/,
    );
    expect(refusedPhrase('The authentication type 10 is not supported.')).toBe('its driver of PostgreSQL is too old to sign in (by SCRAM)');
  });

  it('is what a question says before a place that refused a connection', () => {
    const output = 'FATAL: password authentication failed for user "conduit"\nconnection to localhost:5432 refused';
    expect(refusedPhrase(output)).toBe('PostgreSQL did not let it in as the role “conduit”');
    expect(refusedPhrase('Connection to localhost:5432 refused')).toBe('localhost:5432 refused a connection');
    expect(refusedPhrase('')).toBeNull();
  });
});
