// Runs every suite and prints one line with the sum. Usage: node scripts/test.mjs [suite …]   suites: check unit components integration e2e
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root, setUp } from './setup.mjs';

const all = ['check', 'unit', 'components', 'integration', 'e2e'];
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const suites = chosen.length > 0 ? all.filter((name) => chosen.includes(name)) : all;
const totals = { passed: 0, failed: 0, skipped: 0 };

try {
  await setUp({ tests: suites.includes('e2e') || suites.includes('components') });
} catch (error) {
  console.error(`set-up: ${error.message}`);
  console.log('0 passed, 1 failed');
  process.exit(1);
}

const bin = (name) => path.join(root, 'node_modules', name);

/** A program that is one test: it passes or it does not. Its output is shown when it has ended, so that two may run at once. */
async function step(name, args) {
  const started = Date.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const [code] = await once(child, 'close');
  const good = code === 0;
  totals[good ? 'passed' : 'failed'] += 1;
  process.stdout.write(Buffer.concat(output));
  console.log(`${good ? '✓' : '✗'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}

function vitest(project) {
  const output = path.join(root, '.cache', `vitest-${project}.json`);
  mkdirSync(path.dirname(output), { recursive: true });
  rmSync(output, { force: true });
  const args = [bin('vitest/vitest.mjs'), 'run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (!existsSync(output)) {
    totals.failed += 1;
    return;
  }
  const report = JSON.parse(readFileSync(output, 'utf8'));
  totals.passed += report.numPassedTests;
  totals.failed += report.numFailedTests;
  totals.skipped += report.numPendingTests + (report.numTodoTests ?? 0);
  // A file that could not be loaded has no test that could fail.
  const silent = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.every((one) => one.status !== 'failed')).length;
  totals.failed += silent;
  if (result.status !== 0 && report.numFailedTests + silent === 0) totals.failed += 1;
}

for (const suite of suites) {
  console.log(`\n── ${suite} ──`);
  if (suite === 'check') {
    await Promise.all([step('types', [bin('typescript/bin/tsc'), '-p', '.']), step('lint', [bin('eslint/bin/eslint.js'), '.', '--max-warnings=0'])]);
  } else {
    if (suite === 'e2e') await step('package', ['scripts/package.mjs', '-o', path.join(root, '.cache', 'benchside.vsix')]);
    vitest(suite);
  }
}

console.log(`\n${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`);
process.exitCode = totals.failed === 0 ? 0 : 1;
