import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspaceFileSchema } from '../../src/model/domain/target.ts';
import { removeTemporaryFolders, temporaryFolder } from '../support/engine.ts';
import { type Sat, expressService, inTerminal, springService } from '../support/ownServices.ts';
import { copyProbeApps } from '../support/probeApps.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

const slow = 170_000;
/** More than that nobody wants to decide before there is a first answer. */
const mostDecisions = 6;
/** Nor for longer have to read, answer or wait until nothing more is asked of them. */
const mostOfAPersonS = 60;
let storage: string;
let packages: { folder: string; remove: () => void };

beforeAll(async () => {
  storage = temporaryFolder('storage');
  packages = await copyProbeApps();
});
afterAll(() => {
  packages.remove();
  removeTemporaryFolders();
});

function benchside(folder: string, ...args: string[]): Promise<Sat> {
  return inTerminal(folder, args, { BENCHSIDE_STORAGE: storage });
}

/** From an empty benchside.json to a first answer, with every question answered by Enter; gives what was declared and how often something had to be decided. */
async function firstAnswer(folder: string, id: string) {
  writeFileSync(path.join(folder, 'benchside.json'), '{}\n');
  const init = await benchside(folder, 'init');
  expect(init.code, init.screen).toBe(0);
  const text = readFileSync(path.join(folder, 'benchside.json'), 'utf8');
  const [target] = workspaceFileSchema.parse(parse(text)).targets;
  const run = await benchside(folder, 'run', '--target', id, '--set', 'pool=1,8', '--load', 'quick', '--duration', '0.5', '--rounds', '2');
  expect(run.code, run.screen).toBe(0);
  expect(run.screen).toMatch(/pool (?:size )?(?:1|8)\b/i);
  // Until the app is under load somebody has to be there, to answer or to wait; then they may go. What other programs had of the CPU meanwhile is not counted.
  const here = [
    { ms: init.waitedMs, left: init.cpuLeft },
    { ms: run.underLoadMs ?? run.waitedMs, left: run.cpuLeft },
  ];
  const personS = here.reduce((sum, { ms, left }) => sum + (ms * left) / 1000, 0);
  // Which command to give is a decision, too.
  const decisions = 2 + init.questions + run.questions;
  const rounded = (ms: number): string => `${Math.round(ms / 1000)} s`;
  const said = `${decisions} decisions, ${rounded(1000 * personS)} of a person’s time (${rounded(here.reduce((sum, { ms }) => sum + ms, 0))} with what others took of the CPU), ${rounded(init.waitedMs + run.waitedMs)} to the first answer`;
  return { init, text, target, decisions, personS, said };
}

describe('somebody’s own service, from nothing to a first answer', () => {
  it(
    'takes an Express service few decisions: its prefix, its pool, its database and its ids are seen',
    { timeout: slow, ...longTest },
    async ({ annotate }) => {
      const { init, text, target, decisions, said } = await firstAnswer(
        expressService(path.join(packages.folder, '../node_modules')),
        'shop',
      );
      await annotate(said);
      expect(init.questions).toBe(2);
      expect(decisions).toBeLessThanOrEqual(mostDecisions);
      expect(target).toMatchObject({
        id: 'shop',
        command: ['node', 'src/server.js'],
        port: { env: 'PORT' },
        ready: { path: '/healthz' },
        settings: { pool: { env: 'PG_MAX', default: 10 } },
        postgres: { env: { url: 'DATABASE_URL' }, sql: ['db/schema.sql'] },
      });
      expect(target?.routes.map(({ method, path: at, weight, parameters }) => [method, at, weight, parameters])).toEqual([
        ['GET', '/v1/orders', 1, {}],
        ['GET', '/v1/orders/:id', 1, { id: { min: 1, max: 5000 } }],
        ['GET', '/v1/shops/:code', 1, { code: { values: ['north side', 'süd'] } }],
        ['GET', '/private', 0, {}],
        ['POST', '/v1/orders', 0, {}],
      ]);
      for (const known of [
        'src/orders.js:5; seen when it ran; answered well when it was asked once; :id from orders.id, 1 to 5000',
        ':code from shops.code, its 2 values',
        'the pool of pg was 13 when it was 13',
        'it connected to the database that it was given',
        'What does GET /private need? When it was asked once it was answered with 401: who are you?',
      ])
        expect(text).toContain(known);
    },
  );

  it('takes an Express service no more than a minute of a person’s time', { timeout: slow, ...slowHalf }, async ({ annotate }) => {
    const { decisions, personS, said } = await firstAnswer(expressService(path.join(packages.folder, '../node_modules')), 'shop');
    await annotate(said);
    expect(decisions).toBeLessThanOrEqual(mostDecisions);
    expect(personS).toBeLessThanOrEqual(mostOfAPersonS);
  });

  it('takes a Spring Boot service no more, of either', { timeout: slow, ...slowHalf }, async ({ annotate }) => {
    const { text, target, decisions, personS, said } = await firstAnswer(springService(), 'stock');
    await annotate(said);
    expect(decisions).toBeLessThanOrEqual(mostDecisions);
    expect(personS).toBeLessThanOrEqual(mostOfAPersonS);
    expect(target?.routes.map(({ method, path: at, parameters }) => [method, at, parameters])).toEqual([
      ['GET', '/api/products', {}],
      ['GET', '/api/products/:id', { id: { min: 1, max: 2000 } }],
      ['POST', '/api/products', {}],
    ]);
    expect(target?.settings).toMatchObject({ pool: { default: 10 }, threads: { default: 200 } });
    for (const known of [
      'the pool of hikari was 13 when it was 13',
      'the tomcat threads were 203 when it was 203',
      'ProductController.java:30; seen when it ran',
    ])
      expect(text).toContain(known);
  });
});
