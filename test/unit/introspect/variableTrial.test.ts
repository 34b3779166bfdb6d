import { describe, expect, it } from 'vitest';
import { type Finding, type FoundService, findingsOf } from '../../../src/model/domain/detection.ts';
import type { Seen } from '../../../src/engine/introspect/seen.ts';
import { halvesOf, shownBy, variableTrial } from '../../../src/engine/introspect/variableTrial.ts';
import { withShell, withShown } from '../../../src/engine/introspect/withShown.ts';

function service(...command: string[]): FoundService {
  const start: Finding = {
    part: 'command',
    title: command.join(' '),
    because: 'as it was given',
    sure: true,
    runtime: 'node',
    command,
    requires: [],
    requiresCure: null,
  };
  return {
    id: 'shop',
    label: 'shop',
    folder: '.',
    because: '',
    driver: 'pg',
    findings: [start],
    questions: [{ part: 'setting', text: 'Which?' }],
  };
}

const plain: Seen = {
  given: 40_000,
  port: 40_000,
  routes: [],
  variables: [],
  named: [],
  led: [],
  properties: [],
  tried: {},
  pools: [],
  threads: [],
  connections: null,
  refused: null,
  login: null,
  libpq: false,
  isMeant: false,
  byProbe: false,
  answers: new Map(),
  writes: new Set(),
  asked: [],
  ranges: new Map(),
  startUpMs: 100,
  probed: true,
};
const pgPool = (max: number): Seen['pools'][number] => ({ kind: 'pg', name: 'pool', max, total: 1, resizable: false });
const read = (...names: string[]): Seen['variables'] => names.map((name) => ({ name, place: `app.js:${names.indexOf(name) + 1}` }));

describe('a start that fails', () => {
  it('is tried again with half of the variables each, and not with a single one', () => {
    const trial = { env: { A: '1', B: '2', C: '3' }, ports: new Map(), pools: new Map(), words: [], portInCommand: false, command: null };
    expect(halvesOf(trial).map(({ env }) => env)).toEqual([{ A: '1', B: '2' }, { C: '3' }]);
    expect(halvesOf({ ...trial, env: { A: '1' } })).toEqual([]);
  });
});

describe('a second start', () => {
  it('gives sizes and ports that a framework looks for values of their own, and nothing else that it looks for', async () => {
    const property = (name: string): Seen['variables'][number] => ({
      name,
      place: null,
      property: name.toLowerCase().replaceAll('_', '.'),
    });
    const before = {
      ...plain,
      port: 8080,
      pools: [{ kind: 'agroal' as const, name: 'default', max: 20, total: 1, resizable: false }],
      variables: [
        'HTTP_PORT',
        'SHOP_DATASOURCE_JDBC_MAX_SIZE',
        'SHOP_DATASOURCE_MAX_LIFETIME',
        'HTTP_CONNECTION_HEADER',
        'HTTP_CONNECTION_MAX',
      ].map(property),
    };
    const trial = await variableTrial(service('java', '-jar', 'shop.jar'), before, new Map([['HTTP_CONNECTION_MAX', 'many']]));
    expect(Object.keys(trial?.env ?? {}).sort()).toEqual(['HTTP_PORT', 'SHOP_DATASOURCE_JDBC_MAX_SIZE']);
  });

  it('gives each variable that may be the port or the size of the pool a value of its own, and believes what follows', async () => {
    const shop = service('node', 'app.js');
    const before = {
      ...plain,
      port: 3900,
      pools: [pgPool(4)],
      variables: read('SHOP_WORKERS', 'SHOP_HTTP', 'SHOP_TIMEOUT', 'SHOP_MAX_ITEMS'),
    };
    const trial = await variableTrial(shop, before, new Map());
    if (trial === null) throw new Error('nothing is tried');
    expect(Object.keys(trial.env).sort()).toEqual(['SHOP_HTTP', 'SHOP_MAX_ITEMS', 'SHOP_WORKERS']);
    expect(new Set(Object.values(trial.env)).size).toBe(3);
    const shown = shownBy(trial, shop, before, {
      given: 40_001,
      port: Number(trial.env['SHOP_HTTP']),
      pools: [pgPool(Number(trial.env['SHOP_WORKERS']))],
    });
    const whole = withShown(shop, shown);
    expect(findingsOf(whole.findings, 'port')).toMatchObject([{ port: { env: 'SHOP_HTTP' }, seen: true }]);
    expect(findingsOf(whole.findings, 'setting')).toMatchObject([{ name: 'pool', spec: { env: 'SHOP_WORKERS', default: 4 }, seen: true }]);
    expect(whole.questions).toEqual([]);
  });

  it('believes nothing that does not follow', async () => {
    const shop = service('node', 'app.js');
    const before = { ...plain, pools: [pgPool(4)], variables: read('MAX_UPLOADS') };
    const trial = await variableTrial(shop, before, new Map());
    expect(trial).not.toBeNull();
    if (trial !== null) expect(shownBy(trial, shop, before, { given: 1, port: 2, pools: [pgPool(4)] })).toEqual([]);
  });

  it('puts the port that was chosen where the command has one', async () => {
    const shop = service('serve', '--listen', 'tcp://127.0.0.1:8099', '--cache', '80990');
    const before = { ...plain, port: 8099 };
    const trial = await variableTrial(shop, before, new Map());
    expect(trial?.command).toEqual(['serve', '--listen', 'tcp://127.0.0.1:{port}', '--cache', '80990']);
    if (trial === null) return;
    expect(findingsOf(shownBy(trial, shop, before, { given: 5000, port: 5000, pools: [] }), 'command')).toMatchObject([
      { command: trial.command },
    ]);
    expect(shownBy(trial, shop, before, { given: 5000, port: 8099, pools: [] })).toEqual([]);
  });

  it('changes a number of the command that is the size of the pool, and lets a setting say it where the pool follows', async () => {
    const shop = service('node', 'app.js', '--connections=4', '--retries', '4');
    const before = { ...plain, pools: [pgPool(4)] };
    const trial = await variableTrial(shop, before, new Map());
    if (trial === null) throw new Error('nothing is tried');
    const [connections = '', retries] = [trial.command?.[2], trial.command?.[4]];
    expect(connections).toMatch(/^--connections=\d+$/);
    expect(connections).not.toBe(`--connections=${retries ?? ''}`);
    const size = Number(connections.split('=')[1]);
    const whole = withShown(shop, shownBy(trial, shop, before, { given: 40_000, port: 40_000, pools: [pgPool(size)] }));
    expect(findingsOf(whole.findings, 'command')).toMatchObject([{ command: ['node', 'app.js', '{arguments}', '--retries', '4'] }]);
    expect(findingsOf(whole.findings, 'setting')).toMatchObject([
      { name: 'pool', spec: { arguments: ['--connections={value}'], default: 4 } },
    ]);
    expect(findingsOf(whole.findings, 'port')).toEqual([]);
    expect(shownBy(trial, shop, before, { given: 40_000, port: 40_000, pools: [pgPool(4)] })).toEqual([]);
  });

  it('tells a JVM system properties that its classes name, and keeps those that port and pool follow', async () => {
    const shop = service('java', '-Dshop.pool=6', '-jar', 'shop.jar');
    const hikari = (max: number): Seen['pools'][number] => ({ kind: 'hikari', name: 'pool', max, total: 1, resizable: false });
    const before = { ...plain, port: 8087, pools: [hikari(6)], properties: ['shop.port', 'shop.pool', 'shop.names.max'] };
    const trial = await variableTrial(shop, before, new Map());
    if (trial === null) throw new Error('nothing is tried');
    const told = new Map((trial.command ?? []).flatMap((word) => [[word.split('=')[0] ?? '', Number(word.split('=')[1])] as const]));
    expect([...told.keys()].sort()).toEqual(['-Dshop.pool', '-Dshop.port', '-jar', 'java', 'shop.jar']);
    const after = { given: 40_000, port: told.get('-Dshop.port') ?? 0, pools: [hikari(told.get('-Dshop.pool') ?? 0)] };
    const whole = withShown(shop, shownBy(trial, shop, before, after));
    expect(findingsOf(whole.findings, 'command')).toMatchObject([
      { command: ['java', '-Dshop.port={port}', '{arguments}', '-jar', 'shop.jar'] },
    ]);
    expect(findingsOf(whole.findings, 'setting')).toMatchObject([{ spec: { arguments: ['-Dshop.pool={value}'], default: 6 } }]);
    expect(findingsOf(whole.findings, 'port')).toMatchObject([{ port: { env: 'PORT' } }]);
  });

  it('leaves system properties alone where something else than Java is called', async () => {
    const before = { ...plain, port: 8087, pools: [pgPool(6)], properties: ['shop.port', 'shop.pool'] };
    expect(await variableTrial(service('mvn', 'exec:java'), before, new Map())).toBeNull();
  });

  it('is left out where nothing is open', async () => {
    expect(await variableTrial(service('node', 'app.js'), { ...plain, variables: read('LIMIT', 'HTTP_PORT') }, new Map())).toBeNull();
  });
});

describe('what a service takes from the shell', () => {
  it('stands in the file, but for what may be secret, which is only told', () => {
    const shell = new Map([
      ['HANDLER', 'fast'],
      ['API_TOKEN', 'abc'],
      ['CACHE', 'redis://me:word@127.0.0.1'],
      ['UNREAD', 'x'],
      ['OF_A_LIBRARY', 'y'],
    ]);
    const variables = [...read('HANDLER', 'API_TOKEN', 'CACHE', 'ELSEWHERE'), { name: 'OF_A_LIBRARY', place: null }];
    const { service: found, remarks } = withShell(service('node', 'app.js'), { variables }, shell);
    expect(findingsOf(found.findings, 'command')[0]?.env).toEqual({ HANDLER: 'fast' });
    expect(remarks).toEqual([expect.stringContaining('API_TOKEN, CACHE')]);
  });
});
