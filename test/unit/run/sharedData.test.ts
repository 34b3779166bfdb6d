import { describe, expect, it } from 'vitest';
import { noteTexts } from '../../../src/model/presentation/runNotes.ts';
import { SharedData } from '../../../src/engine/run/sharedData.ts';
import type { MixRequest } from '../../../src/engine/load/loadProtocol.ts';
import type { DatabaseAddress } from '../../../src/engine/services/serverUrl.ts';
import { declared } from '../../support/declaredTarget.ts';

const embedded: DatabaseAddress = {
  host: '127.0.0.1',
  port: 5432,
  user: 'me',
  password: '',
  database: 'shop',
  external: false,
  mode: 'own',
  tls: null,
};
const request = (method: MixRequest['method'], path: string): MixRequest => ({ method, path, headers: {}, weight: 1, parameters: {} });
const mixes = (...mix: MixRequest[]) => new Map([['app', { mix }]]);
const postgres = { env: { url: 'URL' }, database: 'board', sql: [] };

describe('the data of a run', () => {
  it('needs no word when the load only reads, or no target wants a database', () => {
    const reading = new SharedData([declared('app', { postgres })], mixes(request('GET', '/ads')));
    expect([reading.notesOn(embedded), reading.writeNotes(embedded, [])]).toEqual([[], []]);
    const without = new SharedData([declared('app')], mixes(request('POST', '/ads')));
    expect([without.writeNotes(embedded, []), without.wanted]).toEqual([[], false]);
  });

  it('is said to be brought back before each round when the load writes', () => {
    const data = new SharedData(
      [declared('app', { postgres: { ...postgres, prepare: 'prepare.sql' } })],
      mixes(request('GET', '/ads'), request('POST', '/ads')),
    );
    expect(data.wanted).toBe(true);
    expect(data.writeNotes(embedded, [])).toEqual([{ code: 'load-writes', routes: ['POST /ads'], data: 'reset', rows: null }]);
  });

  it('needs no word where all that is posted are queries of GraphQL, which change nothing', () => {
    const query = { ...request('POST', '/graphql'), body: '{"query":"{ ads { id } }"}' };
    const mutation = { ...query, path: '/change', body: '{"query":"mutation { remove(id: 1) { id } }"}' };
    const noted = (...mix: MixRequest[]): string[] =>
      new SharedData([declared('app', { postgres })], mixes(...mix)).writeNotes(embedded, []).map(({ code }) => code);
    expect([noted(query), noted(query, mutation)]).toEqual([[], ['load-writes']]);
  });

  it('is said to grow when nothing takes out what the load writes', () => {
    const targets = [declared('app', { postgres })];
    const data = new SharedData(targets, mixes(request('DELETE', '/ads/1')));
    expect(data.writeNotes(embedded, [])).toEqual([{ code: 'load-writes', routes: ['DELETE /ads/1'], data: 'grows', rows: null }]);
  });

  it('needs no word of a POST under which no rows change, as long as that is known of every trial', () => {
    const data = new SharedData([declared('app', { postgres })], mixes(request('POST', '/search')));
    const noted = (...counted: (number | null)[]): string[] => data.writeNotes(embedded, counted).map(({ code }) => code);
    expect([noted(0, 0.01), noted(0, 1), noted(0, null), noted(null)]).toEqual([[], ['load-writes'], ['load-writes'], ['load-writes']]);
  });

  it('is judged by the rows of a request that may write, however few of all requests these are', () => {
    const rare = new SharedData([declared('app', { postgres })], mixes({ ...request('GET', '/ads'), weight: 99 }, request('POST', '/ads')));
    expect(rare.writeNotes(embedded, [0.01])).toEqual([{ code: 'load-writes', routes: ['POST /ads'], data: 'grows', rows: null }]);
    expect(rare.writeNotes(embedded, [0.0005])).toEqual([]);
  });

  it('is said to change under requests whose method writes nothing where rows were counted, without naming any of them', () => {
    const noted = (rows: number, prepare?: string) =>
      new SharedData(
        [declared('app', { postgres: { ...postgres, ...(prepare === undefined ? {} : { prepare }) } })],
        mixes(request('GET', '/ads'), request('GET', '/visits')),
      ).writeNotes(embedded, [rows]);
    expect(noted(0.09)).toEqual([]);
    expect(noted(0.5)).toEqual([{ code: 'load-writes', routes: [], data: 'grows', rows: 0.5 }]);
    expect(noted(0.5, 'prepare.sql')).toEqual([{ code: 'load-writes', routes: [], data: 'once', rows: 0.5 }]);
  });

  it('on a server of the user is said to be in a database of our own, or to be what was there', () => {
    const files = { ...postgres, sql: ['schema.sql'], prepare: 'prepare.sql' };
    const data = new SharedData([declared('app', { postgres: files })], mixes(request('POST', '/ads')));
    const on = (mode: DatabaseAddress['mode']): string => {
      const address = { ...embedded, external: true, mode };
      return noteTexts([...data.notesOn(address), ...data.writeNotes(address, [])]).join(' ');
    };
    expect(on('own')).toMatch(/“benchside_board_[0-9a-f]{8}” on 127\.0\.0\.1:5432, a database of Benchside’s own there/);
    expect(data.databasesOn({ ...embedded, external: true })).toEqual([expect.stringMatching(/^benchside_board_/)]);
    expect(on('named')).toContain('“shop” on 127.0.0.1:5432, where schema.sql and prepare.sql are applied');
    expect(on('read-only')).toMatch(
      /nothing was applied there.* expected to hold what schema\.sql and prepare\.sql would have made.*stays in the database/,
    );
  });

  it('says that migrations were left out in a database of the user’s', () => {
    const prepare = { command: ['npx', 'prisma', 'migrate', 'deploy'], sql: ['reset.sql'] };
    const data = new SharedData([declared('app', { postgres: { ...postgres, prepare } })], mixes(request('GET', '/ads')));
    const codes = (changes: Partial<DatabaseAddress>): string[] => data.notesOn({ ...embedded, ...changes }).map(({ code }) => code);
    expect(codes({})).toEqual([]);
    expect(codes({ external: true, mode: 'own' })).toEqual(['data-place']);
    for (const mode of ['named', 'read-only'] as const) expect(codes({ external: true, mode })).toEqual(['data-place', 'migrations-left']);
  });
});
