// What a first answer takes in the editor: decisions and seconds for services that it has not seen, from the button on. In a real VS Code, as test/editor drives it.
// Usage: npm run bench firstMinutes [--only NAME …]   (the packed extension is .cache/benchside.vsix; packages of others are fetched)
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startVsCode, vsix } from '../editor/support/vscodeServer.ts';
import { WorkbenchPage } from '../editor/support/workbenchPage.ts';
import { waitFor } from '../support/waitFor.ts';

const fixtures = path.resolve('test/fixtures/ownServices');
const hapi = `
const Hapi = require('@hapi/hapi');
const { Pool } = require('pg');
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.PG_MAX ?? 10) });
const server = Hapi.server({ port: process.env.PORT ?? 3000, host: '127.0.0.1' });
server.route({ method: 'GET', path: '/health', handler: () => 'ok' });
server.route({ method: 'GET', path: '/books', handler: async () => (await pool.query('select * from books order by id limit 20')).rows });
server.route({
  method: 'GET',
  path: '/books/{id}',
  handler: async (request, h) =>
    (await pool.query('select *, pg_sleep(0.003) from books where id = $1', [request.params.id])).rows[0] ?? h.response().code(404),
});
void server.start();
`;
const books = `create table books (id int primary key, title text not null);
insert into books select n, 'Book ' || n from generate_series(1, 2000) n;
`;

/** Each makes a folder of somebody’s into the given one. The name of the service is what the editor calls it. */
const services: Readonly<Record<string, { title: string; name: string; make: (folder: string) => void }>> = {
  express: {
    title: 'Express and pg, routers and a private route',
    name: 'shop',
    make: (folder) => {
      cpSync(path.join(fixtures, 'express'), folder, { recursive: true });
      symlinkSync(path.resolve('.cache/nodeProbe/node_modules'), path.join(folder, 'node_modules'), 'junction');
    },
  },
  hapi: {
    title: 'hapi and pg, a schema in SQL',
    name: 'books',
    make: (folder) => {
      const dependencies = { '@hapi/hapi': '21.4.10', pg: '8.23.1' };
      const file = { name: 'books', private: true, scripts: { start: 'node server.js' }, dependencies };
      writeFileSync(path.join(folder, 'package.json'), JSON.stringify(file));
      writeFileSync(path.join(folder, 'server.js'), hapi);
      mkdirSync(path.join(folder, 'db'));
      writeFileSync(path.join(folder, 'db', 'schema.sql'), books);
      execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], { cwd: folder });
    },
  },
  spring: {
    title: 'Spring Boot on Tomcat, Hikari, its own address of the database',
    name: 'stock',
    make: (folder) => {
      cpSync(path.join(fixtures, 'spring'), folder, { recursive: true });
      execFileSync('mvn', ['-q', '-B', '-ntp', 'package'], { cwd: folder });
    },
  },
};

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
const patienceMs = 300_000;

for (const [id, { title, name, make }] of Object.entries(services)) {
  if (values.only !== undefined && !values.only.includes(id)) continue;
  const folder = mkdtempSync(path.join(tmpdir(), 'benchside-first-'));
  make(folder);
  const server = await startVsCode({ workspaceDir: folder, vsix: [vsix] });
  const window = await WorkbenchPage.launch(server);
  const isBusy = async (): Promise<boolean> => /Benchside:/.test(await window.statusBarText());
  try {
    await window.open();
    await window.openContainer('Benchside');
    const findRow = async () => (await window.treeRows('Targets')).find(({ label }) => label === name);
    await waitFor(findRow, { timeoutMs: patienceMs, what: `the row of ${name}` });
    let decisions = 0;
    const startedAt = performance.now();
    const seconds = (): number => (performance.now() - startedAt) / 1000;
    const decide = async (step: Promise<unknown>): Promise<void> => {
      await step;
      decisions += 1;
    };
    await decide(window.treeRow('Targets', name).click());
    await waitFor(() => window.dialogText(), { timeoutMs: patienceMs, what: 'the question' });
    await decide(window.pressDialogButton('Start and Look'));
    await window.quickInput.waitForOpen('Found, and How It Is Known', patienceMs);
    await decide(window.quickInput.accept());
    await waitFor(isBusy, { timeoutMs: patienceMs, everyMs: 50, what: 'the run begins' });
    const setUp = seconds();
    // The second round begins when the first has given figures.
    const hasFigures = async (): Promise<boolean> => /round [2-9]/i.test(await window.statusBarText()) || !(await isBusy());
    await waitFor(hasFigures, { timeoutMs: patienceMs, everyMs: 50, what: 'figures' });
    const figures = seconds();
    await waitFor(async () => !(await isBusy()), { timeoutMs: patienceMs, everyMs: 100, what: 'the run ends' });
    const cells = [decisions, setUp, figures, seconds()].map((value) => Math.round(value));
    console.log(`| ${title} | ${cells.join(' | ')} |`);
  } catch (error) {
    await window.screenshot(`first-minutes-${id}`);
    throw error;
  } finally {
    await window.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
