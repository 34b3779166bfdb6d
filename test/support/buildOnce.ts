import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installForAll, vsix } from '../editor/support/vscodeServer.ts';
import type { TestProject } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '../..');
/** What the tests run. */
const bundles = {
  engine: 'engine.cjs',
  reaper: 'reaper.cjs',
  loadWorker: 'loadWorker.cjs',
  distanceProxy: 'distanceProxy.cjs',
  steadyWork: 'steadyWork.cjs',
  profileWorker: 'profileWorker.cjs',
  runListWorker: 'runListWorker.cjs',
  readingWorker: 'readingWorker.cjs',
  k6Worker: 'k6Worker.cjs',
  nodeProbe: 'nodeProbe.cjs',
  flame: 'webview/flame.js',
  flameStyle: 'webview/flame.css',
  flamePage: 'webview/flamePage.js',
  flamePageStyle: 'webview/flamePage.css',
  cli: 'cli.cjs',
  report: 'webview/report.js',
  reportStyle: 'webview/report.css',
  workbench: 'webview/workbench.js',
  workbenchStyle: 'webview/workbench.css',
  extension: 'extension.cjs',
};

/** What is removed after all tests. */
const folders: string[] = [];

function newest(folder: string): number {
  // What Maven makes below its project is a result, not a source.
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.split(path.sep).includes('target'))
    .reduce((latest, name) => Math.max(latest, modified(path.join(folder, name))), 0);
}

function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), prefix));
  folders.push(folder);
  // As root the server runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  return folder;
}

function modified(file: string): number {
  return statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * Before the tests of a project: builds the bundles when they are older than the sources, and gives tests of the engine a database
 * folder of their own, so that they seed once and leave nothing behind, and those in the editor a folder in which the extension is installed once.
 */
export function setup(project: TestProject): void {
  const sources = Math.max(newest('src'), newest('webview'), modified('package.json'), modified('scripts/build.mjs'));
  const stale = Object.entries(bundles).filter(([, file]) => modified(path.join('dist', file)) < sources);
  if (stale.length > 0) {
    const built = spawnSync(process.execPath, ['scripts/build.mjs', `--only=${stale.map(([name]) => name).join(',')}`], {
      cwd: root,
      stdio: 'inherit',
    });
    if (built.status !== 0) throw new Error('The bundles could not be built.');
  }
  if (project.name !== 'editor') process.env['BENCHSIDE_POSTGRES_HOME'] = temporaryFolder('benchside-postgres-');
  if (project.name === 'editor' || project.name === 'slow') {
    process.env['BENCHSIDE_SHARED_EXTENSIONS'] = temporaryFolder('benchside-extensions-');
    if (existsSync(vsix)) installForAll(vsix);
  }
}

/** After all of them. */
export function teardown(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
