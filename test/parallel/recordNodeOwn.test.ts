import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { libraryName } from '../../src/calltree/sentence/libraryName.ts';
import { chooseEvent, functionTable } from '../../src/calltree/totals.ts';
import { openRecording } from '../../src/engine/profiles/recordingFiles.ts';
import { ProbeServer } from '../../src/engine/probe/probeServer.ts';
import { recordingRecord } from '../../src/engine/record/recordingRecord.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { cpuUsed } from '../support/cpuUsed.ts';
import { beginRecording, RecordingFolders, startNodeApp } from '../support/nodeRecording.ts';
import { longTest } from '../support/testTags.ts';

const supervisor = new Supervisor();
const folders = new RecordingFolders();
let server: ProbeServer;
let repository: string;

const busy = (name: string): string => `export function ${name}(turns: number): number {
  let sum = 0;
  for (let turn = 0; turn < turns; turn += 1) sum += Math.sqrt(turn) % 7;
  return sum;
}
`;
const main = `import { createServer } from 'node:http';
import { workOfMember } from '@shop/money';
import { workOfLibrary } from 'spinner';
import { workOfBundled } from './bundled.js';

${busy('workOfApp').replace('export ', '')}
const turn = (): void => {
  if (workOfApp(2e6) + workOfMember(2e6) + workOfLibrary(2e6) + workOfBundled(2e6) > 0) setImmediate(turn);
};
const listener = createServer((_request, response) => void response.end('ok'));
listener.listen(0, '127.0.0.1', () => {
  const address = listener.address();
  if (typeof address === 'object') console.log(\`listening on http://127.0.0.1:\${address?.port}\`);
  turn();
});
`;

function put(name: string, content: string): string {
  const file = path.join(repository, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** Compiles a module of TypeScript to a module next to its map. */
async function compile(from: string, to: string, bundle = false): Promise<string> {
  const outfile = path.join(repository, to);
  const entry = path.join(repository, from);
  await build({
    entryPoints: [entry],
    outfile,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    sourcemap: true,
    bundle,
    logLevel: 'error',
  });
  return outfile;
}

beforeAll(async () => {
  server = await ProbeServer.start();
  repository = realpathSync(mkdtempSync(path.join(tmpdir(), 'benchside-monorepo-')));
  put('package.json', '{"name":"shop","private":true,"workspaces":["apps/*","packages/*"]}');
  put('apps/api/package.json', '{"name":"api","type":"module"}');
  put('apps/api/src/main.ts', main);
  // What the library's map calls its source has the same name as this one.
  put('apps/api/src/index.ts', '// nothing\n'.repeat(40));
  put('apps/api/start.mjs', "await import('./dist/main.js');\n");
  put('packages/money/package.json', '{"name":"@shop/money","version":"0.0.0","type":"module","exports":"./dist/index.js"}');
  put('packages/money/src/index.ts', busy('workOfMember'));
  mkdirSync(path.join(repository, 'node_modules/@shop'), { recursive: true });
  symlinkSync('../../packages/money', path.join(repository, 'node_modules/@shop/money'));
  put('node_modules/spinner/package.json', '{"name":"spinner","version":"8.13.1","type":"module","exports":"./dist/index.js"}');
  put('library/index.ts', busy('workOfLibrary'));
  put('node_modules/rounder/package.json', '{"name":"rounder","version":"2.0.9","type":"module","exports":"./round.ts"}');
  put('node_modules/rounder/round.ts', busy('workOfBundled'));
  put('apps/api/src/bundled.ts', "export { workOfBundled } from 'rounder';\n");
  await compile('apps/api/src/main.ts', 'apps/api/dist/main.js');
  await compile('apps/api/src/bundled.ts', 'apps/api/dist/bundled.js', true);
  await compile('packages/money/src/index.ts', 'packages/money/dist/index.js');
  const map = `${await compile('library/index.ts', 'node_modules/spinner/dist/index.js')}.map`;
  const content = JSON.parse(readFileSync(map, 'utf8')) as object;
  writeFileSync(map, JSON.stringify({ ...content, sources: ['webpack://spinner/./src/index.ts'] }));
  rmSync(path.join(repository, 'library'), { recursive: true });
}, 60_000);

afterAll(async () => {
  await supervisor.stopAll();
  await server.close();
  folders.remove();
  rmSync(repository, { recursive: true, force: true });
}, 30_000);

it('tells of a monorepo in TypeScript whose each function is, by the sources of its build', { timeout: 60_000, ...longTest }, async () => {
  const app = await startNodeApp(supervisor, path.join(repository, 'apps/api/start.mjs'), { within: server });
  const outputDir = folders.make();
  const active = await beginRecording(app.child.pid, ['cpu'], outputDir, { probes: app.probes });
  let finished: Awaited<ReturnType<typeof active.stop>>;
  try {
    await cpuUsed(app.child.pid, 1.5);
    finished = await active.stop();
  } finally {
    await active.abandon();
  }
  const files = finished.files.map((file) => ({ ...file, bytes: new Uint8Array() }));
  const window = { ...finished, files, startedAt: new Date(), durationMs: 1500, load: null };
  const subject = {
    title: '',
    runtime: 'node' as const,
    pid: app.child.pid,
    command: '',
    target: null,
    trialKey: null,
    settings: {},
    sourceRoots: [path.join(repository, 'apps/api')],
  };
  const { record } = recordingRecord(window, subject, { id: 'v8' }, { prefix: '', cost: null, notes: [] });
  const tree = await openRecording(outputDir, record);
  const rows = functionTable(tree, chooseEvent(tree, 'cpu'));
  const told = Object.fromEntries(
    ['workOfApp', 'workOfMember', 'workOfLibrary', 'workOfBundled'].map((name) => {
      const row = rows.find((one) => one.name === name);
      const whose = row?.kind === 'dependency' ? libraryName(tree.functions, row.func) : row?.kind;
      return [name, [whose, path.relative(repository, row?.file ?? '')]];
    }),
  );
  expect(told).toEqual({
    workOfApp: ['app', 'apps/api/src/main.ts'],
    workOfMember: ['app', 'packages/money/src/index.ts'],
    workOfLibrary: ['spinner 8.13', 'node_modules/spinner/dist/index.js'],
    workOfBundled: ['rounder 2.0', 'node_modules/rounder/round.ts'],
  });
});
