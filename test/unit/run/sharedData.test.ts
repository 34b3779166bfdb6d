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
    expect(new SharedData([declared('app', { postgres })], mixes(request('GET', '/ads'))).notesOn(embedded)).toEqual([]);
    const without = new SharedData([declared('app')], mixes(request('POST', '/ads')));
    expect([without.notesOn(embedded), without.wanted]).toEqual([[], false]);
  });

  it('is said to be brought back before each round when the load writes', () => {
    const data = new SharedData(
      [declared('app', { postgres: { ...postgres, prepare: 'prepare.sql' } })],
      mixes(request('GET', '/ads'), request('POST', '/ads')),
    );
    expect(data.wanted).toBe(true);
    expect(data.notesOn(embedded)).toEqual([{ code: 'load-writes', routes: ['POST /ads'], data: 'reset' }]);
  });

  it('needs no word where all that is posted are queries of GraphQL, which change nothing', () => {
    const query = { ...request('POST', '/graphql'), body: '{"query":"{ ads { id } }"}' };
    const mutation = { ...query, path: '/change', body: '{"query":"mutation { remove(id: 1) { id } }"}' };
    const noted = (...mix: MixRequest[]): string[] =>
      new SharedData([declared('app', { postgres })], mixes(...mix)).notesOn(embedded).map(({ code }) => code);
    expect([noted(query), noted(query, mutation)]).toEqual([[], ['load-writes']]);
  });

  it('is said to grow when nothing takes out what the load writes', () => {
    const targets = [declared('app', { postgres })];
    const data = new SharedData(targets, mixes(request('DELETE', '/ads/1')));
    expect(data.notesOn(embedded)).toEqual([{ code: 'load-writes', routes: ['DELETE /ads/1'], data: 'grows' }]);
  });

  it('on a server of the user is said to be in a database of our own, or to be what was there', () => {
    const files = { ...postgres, sql: ['schema.sql'], prepare: 'prepare.sql' };
    const data = new SharedData([declared('app', { postgres: files })], mixes(request('POST', '/ads')));
    const on = (mode: DatabaseAddress['mode']): string => noteTexts(data.notesOn({ ...embedded, external: true, mode })).join(' ');
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
