import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { filesBelow, secretsBelow } from '../support/canary.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder, TestEngine } from '../support/engine.ts';

afterAll(removeTemporaryFolders);

/** What a user's service receives and nobody else may read. */
const secrets = {
  SHOP_API_TOKEN: 'Zq8tokenCanary5xT',
  SMTP_PASSWORD: 'Zq8passwordCanary5xT',
  PAYMENT_URL: 'https://shop:Zq8urlCanary5xT@127.0.0.1/pay',
};
const argument = 'Zq8argumentCanary5xT';
const header = 'Zq8headerCanary5xT';
const wanted = [secrets.SHOP_API_TOKEN, secrets.SMTP_PASSWORD, 'Zq8urlCanary5xT', argument, header];

const shared = {
  env: secrets,
  ready: { path: '/health' },
  routes: [{ path: '/hello', headers: { Authorization: `Bearer ${header}` } }],
};
const targets = {
  node: {
    id: 'node-shop',
    runtime: 'node',
    command: ['node', 'shop.cjs', `--password=${argument}`],
    ...shared,
  },
  java: {
    id: 'java-shop',
    runtime: 'jvm',
    command: ['java', `-Dshop.password=${argument}`, '-jar', path.join(repositoryDir, 'samples/java/target/bulletin-board.jar')],
    ...shared,
    postgres: { env: { jdbcUrl: 'DATABASE_JDBC_URL', user: 'DATABASE_USER', password: 'DATABASE_PASSWORD' }, database: 'shop', sql: [] },
  },
};

/** Prints what it received, as careless services do. */
const shop = `
  console.log('starting with', process.env.SHOP_API_TOKEN, process.env.SMTP_PASSWORD, process.env.PAYMENT_URL, ...process.argv.slice(2));
  require('node:http').createServer((request, response) => {
    if (request.url !== '/health') console.log(request.headers.authorization);
    let sum = 0;
    for (let i = 0; i < 20000; i += 1) sum = (sum * 31 + i) | 0;
    response.end(String(sum));
  }).listen(process.env.PORT);`;

describe('what is kept of a run', () => {
  const patient = { timeout: 150_000 };
  describe.each(['node', 'java'] as const)('of a %s service', patient, holdsNoSecret);

  function holdsNoSecret(runtime: keyof typeof targets): void {
    it('holds no secret: records, logs, recordings, raw samples, reports and exports', async () => {
      const workspaceDir = temporaryFolder('workspace');
      // What declares the secrets lies next to what is searched.
      const engine = await TestEngine.start({ workspaceDir, file: { targets: [targets[runtime]] } });
      try {
        writeFileSync(path.join(workspaceDir, 'shop.cjs'), shop);
        const run = await engine.run({
          targets: [`${runtime}-shop`],
          load: 'brief',
          rounds: 1,
          raw: {},
          record: { events: [], seconds: 2 },
        });
        const kept = path.join(workspaceDir, '.benchside');
        const exported = path.join(kept, 'exported');
        mkdirSync(exported);
        for (const format of ['html', 'markdown', 'csv'] as const) {
          const { text, suggestedName } = await engine.request('runs/report', { id: run.id, format });
          writeFileSync(path.join(exported, suggestedName), text);
        }
        for (const format of ['csv', 'parquet'] as const)
          await engine.request('raw/export', { runId: run.id, format, file: path.join(exported, `raw.${format}`) });
        const names = filesBelow(kept).map((file) => path.basename(file));
        // That there is something of each kind to be searched.
        for (const kind of [/^run\.json$/, /\.log$/, runtime === 'node' ? /\.cpuprofile$/ : /\.jfr$/, /^raw\.parquet$/, /\.html$/, /\.md$/])
          expect(names.filter((name) => kind.test(name))).not.toEqual([]);
        expect(secretsBelow(kept, wanted)).toEqual([]);
        // Journals, clusters, what the engine keeps next to the workspace.
        expect(secretsBelow(engine.storageDir, wanted)).toEqual([]);
      } finally {
        await engine.dispose();
      }
    });
  }
});
