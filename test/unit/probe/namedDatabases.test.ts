import { EventEmitter } from 'node:events';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { givenLogin, watchDatabases } from '../../../src/probe/node/namedDatabases.ts';

const given = { host: '127.0.0.1', port: 6543, database: 'shop_app' };
const login = { ...given, user: 'app', password: 'of its own', ssl: false };

afterEach(() => {
  delete (EventEmitter.prototype as { connectionParameters?: unknown }).connectionParameters;
});

describe('the databases that an app names for its clients of pg', () => {
  it('are noted each once, and nothing else of them', () => {
    const databases = watchDatabases(null);
    const client = new pg.Client({ host: 'db.local', port: 5433, user: 'me', password: 'secret', database: 'shop', ssl: true });
    for (let count = 0; count < 3; count += 1) void new pg.Client('postgres://me:secret@localhost/other');
    expect(databases()).toEqual([
      { host: 'db.local', port: 5433, database: 'shop', led: false },
      { host: 'localhost', port: 5432, database: 'other', led: false },
    ]);
    expect(client).toMatchObject({ host: 'db.local', port: 5433, user: 'me', password: 'secret', database: 'shop', ssl: true });
  });

  it.each([
    ['an object', { host: 'db.local', port: 5433, user: 'me', password: 'secret', database: 'shop', ssl: true }],
    ['a URL', 'postgres://me:secret@db.local:5433/shop?sslmode=no-verify'],
    ['a socket', { host: '/var/run/postgresql', database: 'shop' }],
    ['nothing', undefined],
  ])('give way to a login that is given, however they are named: %s', (_name, named) => {
    const databases = watchDatabases(login);
    const client = new pg.Client(named);
    expect(client).toMatchObject(login);
    expect((client as unknown as { connectionParameters: object }).connectionParameters).toMatchObject({ ...login, isDomainSocket: false });
    expect(databases()).toMatchObject([{ led: true }]);
    void new pg.Client(login);
    expect(databases()).toMatchObject([{ led: true }, { ...given, led: false }]);
  });

  it('leave other emitters with a field of that name alone', () => {
    const databases = watchDatabases(login);
    const other = Object.assign(new EventEmitter(), { connectionParameters: { host: 'queue.local', port: 5672 } });
    expect(other.connectionParameters).toEqual({ host: 'queue.local', port: 5672 });
    expect(Object.keys(other)).toContain('connectionParameters');
    expect(databases()).toEqual([]);
  });
});

it('a login is what the engine put into the environment', () => {
  expect(givenLogin({})).toBeNull();
  expect(givenLogin({ BENCHSIDE_PROBE_DATABASE: JSON.stringify(login) })).toEqual(login);
});
