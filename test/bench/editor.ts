// What the extension costs an editor: activation, first paint of the Workbench, and the sizes of what is shipped. In a real VS Code.
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startVsCode } from '../editor/support/vscodeServer.ts';
import { WorkbenchPage } from '../editor/support/workbenchPage.ts';

const repetitions = 5;
const root = process.cwd();
const vsix = path.join(root, '.cache', 'benchside.vsix');
const kib = (file: string): number => statSync(path.join(root, file)).size / 1000;
/** Sizes of all files of these names together, in kB. */
const parts = (folder: string, name: RegExp): number =>
  readdirSync(path.join(root, folder)).reduce((sum, file) => sum + (name.test(file) ? kib(path.join(folder, file)) : 0), 0);
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** "Activated in 23 ms." in the extension's own log. */
function activationMs(logsDir: string): number | undefined {
  const log = readdirSync(logsDir, { recursive: true, encoding: 'utf8' }).find((name) => /Benchside\.log$/.test(name));
  const text = log === undefined ? '' : readFileSync(path.join(logsDir, log), 'utf8');
  const found = /Activated in ([\d.]+) ms/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

const activations: number[] = [];
const paints: number[] = [];
for (let repetition = 0; repetition < repetitions; repetition += 1) {
  const workspaceDir = mkdtempSync(path.join(tmpdir(), 'benchside-bench-'));
  const server = await startVsCode({ workspaceDir, vsix: [vsix] });
  const window = await WorkbenchPage.launch(server);
  try {
    await window.open();
    await window.runCommand('Benchside: Open Workbench');
    const frame = await window.panelFrame('benchside.benchside');
    await frame.getByRole('tab', { name: 'Tune' }).waitFor();
    const firstPaintMs = await frame
      .locator('body')
      .evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN);
    paints.push(firstPaintMs);
    const activation = activationMs(server.logsDir);
    if (activation !== undefined) activations.push(activation);
  } finally {
    await window.close();
    await server.stop();
    rmSync(workspaceDir, { recursive: true, force: true });
  }
}
const rows: [string, string, string][] = [
  ['activation', `${median(activations).toFixed(0)} ms (${activations.length} starts)`, '≤ 50 ms'],
  ['first paint of the panel', `${median(paints).toFixed(0)} ms (${paints.length} opens)`, '≤ 500 ms'],
  [
    'extension, what activation loads / all parts',
    `${kib('dist/extension.cjs').toFixed(0)} / ${parts('dist', /^extension.*\.cjs$/).toFixed(0)} kB`,
    '≤ 300 kB loaded',
  ],
  [
    'panel, entry / all parts',
    `${kib('dist/webview/workbench.js').toFixed(0)} / ${parts('dist/webview', /^workbench.*\.js$/).toFixed(0)} kB`,
    '≤ 600 kB loaded',
  ],
  ['package', `${(statSync(vsix).size / 1e6).toFixed(1)} MB`, '≤ 40 MB'],
];
for (const [what, value, goal] of rows) console.log(`${what.padEnd(26)} ${value.padEnd(24)} ${goal}`);
