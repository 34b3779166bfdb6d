// What all scenes use: the code of the engine and the records of the tests, the stored examples, and what the extension sends to a panel at first.
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const bundle = await build({
  stdin: {
    contents: `export { compareRuns } from './src/engine/runs/compareRuns.ts';
      export { latencyCurve } from './src/engine/runs/latencyCurve.ts';
      export { createLatencyHistogram, recordLatency } from './src/engine/load/latencyHistogram.ts';
      export { SeededRandom } from './src/engine/statistics/seededRandom.ts';
      export { timeBudgetOf } from './src/engine/probe/timeBudget.ts';
      export { runRecordSchema } from './src/model/domain/run.ts';
      export { adviceRecordSchema, adviceProgressSchema, summaryOfAdvice } from './src/model/domain/adviceRecord.ts';
      export { htmlReport } from './src/engine/report/htmlReport.ts';
      export * from './test/support/recorded.ts';
      export * from './test/support/runRecords.ts';
      export * from './test/support/experimentRecords.ts';
      export { readProfile } from './src/engine/calltree/openProfile.ts';
      export { withRoles } from './src/calltree/stackRoles.ts';
      export { nodeRoles } from './src/model/domain/callTree.ts';
      export { hostedProfile, serveFlame } from './test/support/flameHost.ts';
      export * from './test/support/tuningRecords.ts';`,
    resolveDir: root,
    loader: 'ts',
  },
  bundle: true,
  platform: 'node',
  format: 'esm',
  write: false,
  logLevel: 'warning',
  // The one file that looks around itself is where it was.
  define: { 'import.meta.dirname': JSON.stringify(path.join(root, 'test/support')) },
  banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)});` },
});
/** Functions of the engine, and the makers of records that the tests use. */
export const benchside = await import(`data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].text).toString('base64')}`);

const fixture = (name) => JSON.parse(readFileSync(path.join(root, 'test/fixtures', name), 'utf8'));
export const storedRun = () => fixture('runExample.json');
export const catalog = fixture('catalogExample.json');

/** Ids of the run under way, and of others that are stored. */
export const liveId = 'mi8k9999-00112233445566778899aabb';
export const otherId = 'mi8jzz00-00112233445566778899aabb';
export const oldestId = 'mi8jyy00-00112233445566778899aabb';

export const form = {
  targets: ['java', 'node'],
  values: { pool: '2, 4, 8, 16, 32' },
  connections: '32',
  durationS: '',
  rounds: '',
  load: 'steady',
  route: 'GET /ads/:id',
  budget: '',
};

/** A row of the list of runs. */
export const summaryOf = (run, more) => ({
  kind: 'run',
  id: run.id,
  title: run.title,
  startedAt: run.startedAt,
  state: 'complete',
  valid: true,
  reasons: [],
  targets: ['java', 'node'],
  takenPercent: null,
  ...more,
});

/** The first messages: what is filled in, what there is, and what was measured. */
export const opening = (ownForm, runs, more = {}) => [
  { type: 'form', form: ownForm, revision: 1 },
  { type: 'catalog', catalog, trusted: true, hasWorkspace: true, ...more },
  { type: 'runs', runs },
];
export const noEvents = { type: 'runEvents', events: [], replay: true };

/** What a panel kept when it was hidden. */
export const kept = (view, more = {}) => ({
  view,
  shownRunId: null,
  chosen: { a: '', b: '' },
  scrollY: 0,
  moreSettings: false,
  ...more,
});
