import { describe, expect, it } from 'vitest';
import { targetSchema } from '../../../src/model/domain/target.ts';
import { bouncerConfig, bouncerUsers } from '../../../src/engine/services/bouncer/bouncerConfig.ts';
import { poolOfRows, totalsOfRows } from '../../../src/engine/services/bouncer/bouncerConsole.ts';
import { figuresOf } from '../../../src/engine/services/bouncer/bouncerMeter.ts';
import type { BouncerTrap } from '../../../src/model/domain/bouncerTrap.ts';
import { sessionStatement, trapIn } from '../../../src/engine/services/bouncer/bouncerTraps.ts';
import { withBouncerPool } from '../../../src/engine/targets/bouncerPool.ts';

const plan = {
  bouncer: { mode: 'transaction', poolSize: 8 },
  poolSize: 12,
  server: { host: '127.0.0.1', port: 5999, user: 'benchside', password: 'secret', tls: null },
  database: 'shop',
  port: 6999,
  admin: { user: 'console', password: 'other' },
  userFile: '/tmp/a/userlist.txt',
  serverCaFile: null,
} as const;
const lines = (more: object = {}): string[] => bouncerConfig({ ...plan, ...more }).split('\n');

describe('the configuration of a PgBouncer', () => {
  it('listens on loopback alone, for one database, with the size that was asked for and no password in it', () => {
    expect(lines()).toEqual(
      expect.arrayContaining([
        "shop = host='127.0.0.1' port=5999",
        'listen_addr = 127.0.0.1',
        'unix_socket_dir =',
        'auth_type = scram-sha-256',
        'pool_mode = transaction',
        'default_pool_size = 12',
        'server_tls_sslmode = disable',
      ]),
    );
    expect(lines().join()).not.toContain('secret');
    expect(bouncerUsers([{ user: 'a"b', password: 'c"d' }])).toBe('"a""b" "c""d"\n');
  });

  it('takes names that its reader does not know as they come, speaks TLS to the server as its URL asks, and keeps prepared statements where they are wanted', () => {
    expect(lines({ database: 'my-shop' })[1]).toBe("* = host='127.0.0.1' port=5999");
    const tls = { mode: 'verify-full' as const, rootCertificate: '/ca.pem' };
    expect(lines({ server: { ...plan.server, tls }, serverCaFile: '/tmp/a/ca.pem' })).toEqual(
      expect.arrayContaining(['server_tls_sslmode = verify-full', 'server_tls_ca_file = /tmp/a/ca.pem']),
    );
    expect(lines({ bouncer: { ...plan.bouncer, preparedStatements: 200 } })).toContain('max_prepared_statements = 200');
    expect(lines({ bouncer: { ...plan.bouncer, ignoreStartupParameters: ['options'] } }).join('\n')).toMatch(
      /ignore_startup_parameters = .*, options$/m,
    );
  });
});

describe('what its console says', () => {
  const row = {
    database: 'shop',
    user: 'benchside',
    cl_active: 30,
    cl_waiting: '2',
    sv_active: 7,
    sv_idle: 1,
    sv_login: 1,
  };

  it('is read by the names of columns, of which some versions have more', () => {
    const rows = [
      { ...row, database: 'pgbouncer' },
      { ...row, sv_active_cancel: 1 },
    ];
    expect(poolOfRows(rows, 'shop', 'benchside')).toEqual({
      clientsActive: 30,
      clientsWaiting: 2,
      serversActive: 7,
      servers: 10,
    });
    expect(poolOfRows(rows, 'shop', 'nobody').servers).toBe(0);
    const stats = { database: 'shop', total_xact_count: '10', total_wait_time: 30 };
    expect(totalsOfRows([stats], 'shop')).toEqual({ transactions: 10, waitUs: 30 });
  });

  it('becomes means of a window: waits by what it adds up, or by what every look saw where they never ended', () => {
    const look = (clientsWaiting: number) => ({ clientsActive: 4, clientsWaiting, serversActive: 2, servers: 2 });
    const edges = {
      before: { transactions: 0, waitUs: 0 },
      after: { transactions: 100, waitUs: 3_000_000 },
      windowMs: 1000,
    };
    expect(figuresOf([look(1), look(9)], 'transaction', edges)).toEqual({ busy: 2, waiting: 3, transactions: 100, clients: 9 });
    expect(figuresOf([look(5), look(5)], 'transaction', { ...edges, after: edges.before }).waiting).toBe(5);
    expect(figuresOf([look(1), look(9)], 'session', edges).waiting).toBe(5);
  });
});

describe('what does not go through it', () => {
  const behind = { mode: 'transaction', version: '1.18.0' } as const;
  const prepared = { code: 'prepared-statement', version: '1.18.0', keeps: false } as const;

  it.each<[words: string, trap: BouncerTrap]>([
    ['error: prepared statement "S_1" does not exist', { ...prepared, said: 'prepared statement "S_1" does not exist' }],
    ['ERROR: prepared statement "ping" already exists', { ...prepared, said: 'prepared statement "ping" already exists' }],
    ['FATAL: unsupported startup parameter: options', { code: 'startup-parameter', parameter: 'options' }],
    ['FATAL: unsupported startup parameter in options: search_path', { code: 'startup-parameter', parameter: 'search_path' }],
    ['query_wait_timeout', { code: 'wait-timeout', mode: 'transaction' }],
  ])('is known by its words: %s', (words, trap) => {
    expect(trapIn(`2026-01-01 ${words}\n    at somewhere`, behind)).toEqual(trap);
  });

  it('is nothing else, and prepared statements are no trap in session mode or where PgBouncer keeps them', () => {
    expect(trapIn('error: relation "ads" does not exist', behind)).toBeNull();
    expect(trapIn('prepared statement "S_1" does not exist', { ...behind, mode: 'session' })).toBeNull();
    expect(trapIn('prepared statement "S_1" does not exist', { ...behind, version: '1.24.1' })).toMatchObject({ keeps: true });
  });

  it('is seen in statements that hold for a session', () => {
    const held = ['LISTEN jobs', 'SET search_path TO x', 'SELECT pg_advisory_lock($1)', 'select pg_try_advisory_lock(1)'];
    for (const sql of held) expect(sessionStatement([sql], 'transaction'), sql).not.toBeNull();
    const not = [
      'SET LOCAL x = 1',
      'SET TRANSACTION READ ONLY',
      'SELECT pg_advisory_xact_lock($1)',
      'UPDATE a SET b = 1',
      'SELECT listen FROM a',
    ];
    expect(sessionStatement(not, 'transaction')).toBeNull();
    expect(sessionStatement(held, 'session')).toBeNull();
  });
});

it('gives a target that declares one the setting for its pool, unless it declares that itself', () => {
  const target = targetSchema.parse({
    id: 'shop',
    command: ['node'],
    routes: [{ path: '/' }],
    postgres: { env: { url: 'DATABASE_URL' }, bouncer: { poolSize: 6 } },
  });
  expect(withBouncerPool(target).settings['bouncerPool']).toMatchObject({ default: 6, live: 'bouncer' });
  expect(target.postgres?.bouncer?.mode).toBe('transaction');
  const own = targetSchema.parse({ ...target, settings: { bouncerPool: { live: 'bouncer', default: 4, max: 16 } } });
  expect(withBouncerPool(own).settings['bouncerPool']).toMatchObject({ default: 4, max: 16 });
});
