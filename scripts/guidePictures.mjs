// Takes every picture of the guide and the README again: npm run pictures [-- --editor]
// Those of a page alone are scenes (scripts/scenes), the same on every machine. Those of a real VS Code are what its tests leave behind while they record and
// measure, so that they take minutes and show this machine’s figures: they are taken with --editor only.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const images = path.join(root, 'docs/images');

/** By the size and the theme in which they are taken: the picture and its scene. */
const pages = [
  {
    theme: 'dark',
    width: 1400,
    height: 900,
    pictures: {
      'workbench-dark': 'result',
      'live-dark': 'running',
      'tune-dark': 'tuned',
      'live-session-dark': 'live',
      'experiment-dark': 'experimentAgrees',
      'experiments-dark': 'experiments',
      'advise-dark': 'advice',
      'flame-dark': 'flame',
      'flame-compare-dark': 'flameCompare',
    },
  },
  { theme: 'light', width: 1400, height: 900, pictures: { 'compare-light': 'compareSettings' } },
  { theme: 'light', width: 1200, height: 1150, pictures: { 'report-light': 'reportWhole' } },
];

/** The tests in a real VS Code that leave a picture, and what it is called there: of a file that one, and those that it builds on. */
const ofEditor = [
  {
    picture: 'statements-dark',
    file: 'test/editor/workbench.test.ts',
    tests: 'shows targets and an empty list|runs both samples from the palette|opens the SQL of a row',
    left: 'statements-dark-modern',
  },
  {
    picture: 'flame-source-dark',
    file: 'test/editor/flameRecording.test.ts',
    tests: 'lands on the hot line of a Node app',
    left: 'flame-node-source-dark-modern',
  },
];

function run(...words) {
  const env = { ...process.env, BENCHSIDE_PICTURES: 'dark' };
  const { status } = spawnSync(process.execPath, words, { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'benchside-pictures-'));
try {
  for (const { theme, width, height, pictures } of pages) {
    const scenes = Object.values(pictures).join(',');
    const size = [`--widths=${width}`, `--height=${height}`];
    run('scripts/preview.mjs', `--pictures=${folder}`, '--fold', `--only=${scenes}`, `--themes=${theme}`, ...size);
    for (const [picture, scene] of Object.entries(pictures))
      copyFileSync(path.join(folder, `${scene}-${theme}-${width}.png`), path.join(images, `${picture}.png`));
  }
  if (process.argv.includes('--editor')) {
    run('scripts/package.mjs', '-o', '.cache/benchside.vsix');
    for (const { picture, file, tests, left } of ofEditor) {
      run('node_modules/vitest/vitest.mjs', 'run', '--project=editor', file, '-t', tests);
      copyFileSync(path.join(root, 'test/editor/artefacts', `${left}.png`), path.join(images, `${picture}.png`));
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
