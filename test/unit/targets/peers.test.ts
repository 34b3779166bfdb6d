import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { type PeerQuestion, peersIn, peersToAskAbout, settledIn } from '../../../src/engine/targets/peers.ts';
import type { TcpSocket } from '../../../src/engine/targets/tcpTable.ts';

const end = (host: string, port: number) => ({ host, port });
const socket = (inode: string, local: number, remote: [string, number] | null): TcpSocket => ({
  local: end('127.0.0.1', local),
  remote: remote === null ? end('0.0.0.0', 0) : end(...remote),
  listens: remote === null,
  uid: 0,
  inode,
});
const given = end('127.0.0.1', 54_321);
const asked = async (question: Partial<PeerQuestion>): Promise<string[]> =>
  (await peersToAskAbout({ peers: [], called: [], given, declared: [], poolIsOpen: false, agreed: [], ...question })).map(
    ({ host, port }) => `${host} ${port}`,
  );

let database: ChildProcess | null = null;
afterEach(() => database?.kill());

/** A program that says that it is PostgreSQL. @returns the port of 127.0.0.1 on which it listens */
async function startedDatabase(): Promise<number> {
  const listens = `process.title = 'postgres';
    const server = require('node:net').createServer().listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  database = spawn(process.execPath, ['-e', listens], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(database.stdout ?? database, 'data')) as [Buffer];
  return Number(said.toString());
}

describe('whom a target connects to', () => {
  it('is whoever it called, and not who called it or somebody else', () => {
    const sockets = [
      socket('1', 8080, null),
      socket('2', 8080, ['127.0.0.1', 50_000]),
      socket('3', 40_000, ['192.0.2.7', 5432]),
      socket('4', 40_001, ['192.0.2.8', 5432]),
    ];
    expect(peersIn(sockets, new Set(['1', '2', '3']))).toEqual([end('192.0.2.7', 5432)]);
  });

  it('is asked of the kernel again only for a socket that is neither connected, nor listens, nor is a Unix socket', () => {
    const unbound = { ...socket('4', 40_001, null), listens: false };
    const sockets = [socket('1', 8080, null), socket('2', 40_000, ['192.0.2.7', 5432]), unbound];
    expect(settledIn(sockets, new Set(['3', '9']), new Set(['1', '2', '3', '4', '5']))).toEqual(new Set(['1', '2', '3']));
  });

  it('is asked about on another machine, also where no database was given, but for web services and what was agreed to', async () => {
    const peers = [given, end('192.0.2.7', 5432), end('192.0.2.8', 443)];
    expect(await asked({ peers })).toEqual(['192.0.2.7 5432']);
    expect(await asked({ peers: peers.slice(1), given: null })).toEqual(['192.0.2.7 5432']);
    expect(await asked({ peers, agreed: ['192.0.2.7'] })).toEqual([]);
    expect(await asked({ peers, given: end('192.0.2.7', 5432) })).toEqual([]);
  });

  it('is also who was called in vain, by its name', async () => {
    expect(await asked({ called: [end('192.0.2.7', 5432), end('localhost', given.port)] })).toEqual(['192.0.2.7 5432']);
    expect(await asked({ called: [end('localhost', 5432)] })).toHaveLength(1);
    expect(await asked({ called: [end('nobody.invalid', 5432)] })).toEqual(['nobody.invalid 5432']);
  });

  it('is asked about on this machine where it is PostgreSQL beside the one that was given', async () => {
    const peers = [given, end('127.0.0.1', 5432), end('::1', 6379)];
    expect(await asked({ peers })).toEqual(['127.0.0.1 5432']);
    expect(await asked({ peers, agreed: ['127.0.0.1:5432'] })).toEqual([]);
    expect(await asked({ peers: [end('::1', given.port)] })).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('is asked about where it is a PostgreSQL that nobody named, and none was given', async () => {
    const port = await startedDatabase();
    const question = { peers: [end('127.0.0.1', port), end('127.0.0.1', 1)], given: null };
    expect(await asked(question)).toEqual([`127.0.0.1 ${port}`]);
    expect(await asked({ ...question, declared: [`postgres://a:b@localhost:${port + 1}/c`, 'localhost', `x${port}`] })).toHaveLength(1);
    expect(await asked({ ...question, agreed: [`127.0.0.1:${port}`] })).toEqual([]);
    for (const named of [`jdbc:postgresql://localhost:${port}/c?a=b`, `--db=postgres://a:b@127.0.0.1:${port}`, String(port)])
      expect(await asked({ ...question, declared: [named] }), named).toEqual([]);
  });

  it('is not the service itself, such as a database that it starts', () => {
    const sockets = [socket('1', 15_432, null), socket('2', 40_000, ['127.0.0.1', 15_432]), socket('3', 40_001, ['127.0.0.1', 15_433])];
    expect(peersIn(sockets, new Set(['1', '2', '3']))).toEqual([end('127.0.0.1', 15_433)]);
  });

  it('is asked about wherever it is when the app’s pool is open and nothing leads to the database that was given', async () => {
    expect(await asked({ peers: [end('127.0.0.1', 7777)], poolIsOpen: true })).toEqual(['127.0.0.1 7777']);
    expect(await asked({ peers: [end('127.0.0.1', 7777)] })).toEqual([]);
    expect(await asked({ peers: [given, end('127.0.0.1', 7777)], poolIsOpen: true })).toEqual([]);
  });
});
