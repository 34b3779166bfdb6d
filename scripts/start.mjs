// The main job: both samples on the embedded PostgreSQL with pools of several sizes, side by side. Further arguments go to `benchside run` instead.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { javaProblem, root, setUp } from './setup.mjs';

try {
  await setUp();
} catch (error) {
  console.error(`set-up: ${error.message}`);
  process.exit(1);
}

const cli = path.join(root, 'dist/cli.cjs');
const withoutJava = javaProblem();
const given = process.argv.slice(2);
const job =
  given.length > 0
    ? given
    : [
        '--target',
        'node',
        ...(withoutJava === null ? ['--target', 'java'] : []),
        ...'--set pool=4,16,32 --load quick --budget 31'.split(' '),
      ];
const run = spawnSync(process.execPath, [cli, 'run', ...job], { cwd: root, stdio: 'inherit' });
if (run.status !== 0) process.exit(run.status ?? 1);

const report = path.join(root, 'out', 'report.html');
const { mkdirSync } = await import('node:fs');
mkdirSync(path.dirname(report), { recursive: true });
spawnSync(process.execPath, [cli, 'report', 'last', '-o', report], { cwd: root, stdio: 'inherit' });
console.log(`
Open the workbench in VS Code:
  code ${root}            then press F5 (“Run Benchside”), and in the new window run “Benchside: Open Workbench”,
  or: npm run package    then install the .vsix by “Extensions: Install from VSIX…”.`);
if (withoutJava !== null) console.log(`\nOnly the Node half was run: ${withoutJava}. Then run npm start again.`);
