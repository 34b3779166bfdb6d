import { describe, expect, it } from 'vitest';
import { SharedData } from '../../../src/engine/run/sharedData.ts';
import type { MixRequest } from '../../../src/engine/load/loadProtocol.ts';
import { declared } from '../../support/declaredTarget.ts';

const request = (method: MixRequest['method'], path: string): MixRequest => ({ method, path, headers: {}, weight: 1, parameters: {} });
const mixes = (...mix: MixRequest[]) => new Map([['app', { mix }]]);
const postgres = { env: { url: 'URL' }, database: 'board', sql: [] };

describe('the data of a run', () => {
  it('needs no word when the load only reads, or no target wants a database', () => {
    expect(new SharedData([declared('app', { postgres })], mixes(request('GET', '/ads'))).note).toBeNull();
    const without = new SharedData([declared('app')], mixes(request('POST', '/ads')));
    expect([without.note, without.wanted]).toEqual([null, false]);
  });

  it('is said to be brought back before each round when the load writes', () => {
    const data = new SharedData(
      [declared('app', { postgres: { ...postgres, prepare: 'prepare.sql' } })],
      mixes(request('GET', '/ads'), request('POST', '/ads')),
    );
    expect(data.wanted).toBe(true);
    expect(data.note).toContain('The load writes (POST /ads): the data is brought back');
  });

  it('is said to grow when nothing takes out what the load writes', () => {
    const targets = [declared('app', { postgres })];
    expect(new SharedData(targets, mixes(request('DELETE', '/ads/1'))).note).toContain('later blocks meet more data than earlier ones');
  });
});
