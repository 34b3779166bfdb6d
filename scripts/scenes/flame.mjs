// Flame graphs as pages of their own: a recording of the Java sample, alone in each view, and compared with one with a larger pool.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { benchside, root } from './setting.mjs';

const { hostedProfile, nodeRoles, readProfile, withRoles } = benchside;

const recorded = () => withRoles(readProfile(readFileSync(path.join(root, 'test/fixtures/profiles/bulletinPool2.wall.pb.gz'))));
const startedAt = '2026-11-21T14:02:00.000Z';
const load = (requests) => ({ requests, durationMs: 10_000, format: 'pprof' });
const summary = {
  id: 'mi8jzz00-00112233445566778899aabb',
  runId: null,
  title: 'java · pool 2 · wall clock',
  startedAt,
  recorder: 'async-profiler',
  runtime: 'jvm',
  target: 'java',
  trialKey: null,
  events: ['wall'],
  durationMs: 10_000,
};

/** The same service with a larger pool, in which requests hardly wait for a connection and the database has more to do. */
function withLargerPool() {
  const tree = recorded();
  const weights = { poolWait: 0.12, databaseWait: 2.3 };
  const scale = (node) => weights[nodeRoles[tree.role?.[node] ?? 0]] ?? 2;
  tree.events = tree.events.map((event) => ({ ...event, self: event.self.map((weight, node) => weight * scale(node)) }));
  tree.samples = null;
  return tree;
}

const large = hostedProfile('pool8', withLargerPool(), { title: 'java · pool 8 · wall clock', ...load(2_600) });
const small = hostedProfile('pool2', recorded(), { title: 'java · pool 2 · wall clock', ...load(1_000) });

const complete = (page) =>
  page.waitForFunction(() => window.sent.some((message) => message.type === 'drawn' && message.completeMs !== null));

async function compared(page) {
  await complete(page);
  const compare = page.getByRole('button', { name: 'Compare with…' });
  if (await compare.isVisible()) await compare.click();
  else {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Compare with…' }).click();
  }
  await page.getByRole('menuitem').first().click();
  await page.locator('.compare select').first().waitFor();
  await page.mouse.move(0, 0);
}

const view = (name) => async (page) => {
  await complete(page);
  await page
    .getByRole('radio', { name })
    .or(page.getByRole('button', { name, exact: true }))
    .first()
    .click();
};

async function menuOpen(page) {
  await complete(page);
  const more = page.getByRole('button', { name: 'More', exact: true });
  await ((await more.isVisible()) ? more : page.getByRole('button', { name: 'Export' })).press('Enter');
  await page.getByRole('menu').waitFor();
}

export const scenes = {
  flame: { flame: { a: small }, act: complete },
  flameTable: { flame: { a: small }, act: view('Table') },
  flameCallers: { flame: { a: small }, act: view('Callers') },
  flameMenu: { flame: { a: small }, act: menuOpen },
  flameCompare: { flame: { a: large, b: small }, extra: [{ type: 'others', recordings: [summary] }], act: compared },
};
