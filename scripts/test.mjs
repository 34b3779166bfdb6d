// Runs every suite and prints one line with the sum. Usage: node scripts/test.mjs [suite …]
// Suites: check unit components integration e2e, and slow: test/slow and the tests with the tag “slow”, which the others leave out, one file at a time.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root, setUp } from './setup.mjs';

const all = ['check', 'unit', 'components', 'integration', 'e2e'];
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const suites = chosen.length > 0 ? [...all, 'slow'].filter((name) => chosen.includes(name)) : all;
/** `leftOut`: tests of the slow half while the quick one runs. */
const totals = { passed: 0, failed: 0, skipped: 0, leftOut: 0 };
/** What failed, for the end of the output: whoever sees only its tail still learns which test it was, and why. */
const failures = [];

/** @param name suite, file and test; `why` may be long and coloured */
function failed(name, why) {
  const lines = why
    .replaceAll(/\u001b\[[0-9;]*m/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/node_modules|node:internal/.test(line));
  failures.push([`✗ ${name}`, ...lines.slice(0, 12).map((line) => `    ${line.slice(0, 300)}`)].join('\n'));
}

try {
  await setUp({ tests: ['e2e', 'components', 'slow'].some((name) => suites.includes(name)) });
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
  if (!good) failed(name, Buffer.concat(output).toString());
  console.log(`${good ? '✓' : '✗'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}

/** The files of other suites that have a test with the tag. */
function taggedFiles() {
  return ['components', 'integration', 'e2e'].flatMap((project) =>
    readdirSync(path.join(root, 'test', project))
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => path.join('test', project, name))
      .filter((file) => readFileSync(path.join(root, file), 'utf8').includes('/slowHalf.ts')),
  );
}

/** @param half which tests of the files are run, by their tag; null for all */
function vitest(suite, what, half) {
  const output = path.join(root, '.cache', `vitest-${suite}.json`);
  mkdirSync(path.dirname(output), { recursive: true });
  rmSync(output, { force: true });
  const filter = half === null ? [] : [`--tags-filter=${half === 'slow' ? 'slow' : '!slow'}`];
  const args = [
    bin('vitest/vitest.mjs'),
    'run',
    ...what,
    ...filter,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${output}`,
  ];
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (!existsSync(output)) {
    totals.failed += 1;
    failed(suite, 'ended without a report');
    return;
  }
  const report = JSON.parse(readFileSync(output, 'utf8'));
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const ofOtherHalf = half === null ? 0 : tests.filter((one) => (one.tags ?? []).includes('slow') !== (half === 'slow')).length;
  totals.passed += report.numPassedTests;
  totals.failed += report.numFailedTests;
  totals.skipped += report.numPendingTests + (report.numTodoTests ?? 0) - ofOtherHalf;
  totals.leftOut += half === 'quick' ? ofOtherHalf : 0;
  // A file that could not be loaded has no test that could fail.
  const silent = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((one) => one.status !== 'failed'),
  );
  totals.failed += silent.length;
  for (const file of report.testResults) {
    const relative = path.relative(root, file.name);
    if (silent.includes(file)) failed(`${suite}  ${relative}`, file.message ?? '');
    for (const one of file.assertionResults)
      if (one.status === 'failed') failed(`${suite}  ${relative}  ${one.fullName}`, (one.failureMessages ?? []).join('\n'));
  }
  if (result.status !== 0 && report.numFailedTests + silent.length === 0) {
    totals.failed += 1;
    failed(suite, `ended with exit code ${String(result.status)} although no test failed: see its output`);
  }
}

for (const suite of suites) {
  console.log(`\n── ${suite} ──`);
  if (suite === 'check') {
    await Promise.all([
      step('types', [bin('typescript/bin/tsc'), '-p', '.']),
      step('lint', [bin('eslint/bin/eslint.js'), '.', '--max-warnings=0']),
    ]);
  } else {
    if (suite === 'e2e' || suite === 'slow')
      await step('package', ['scripts/package.mjs', '-o', path.join(root, '.cache', 'benchside.vsix')]);
    if (suite === 'slow') {
      if (existsSync(path.join(root, 'test', 'slow'))) vitest('slow', ['--project=slow'], null);
      vitest('tagged', [...taggedFiles(), '--project=!unit', '--no-file-parallelism'], 'slow');
    } else vitest(suite, [`--project=${suite}`], suite === 'unit' ? null : 'quick');
  }
}

if (failures.length > 0) console.log(`\n── failed ──\n${failures.join('\n\n')}`);
if (totals.leftOut > 0) console.log(`\n${totals.leftOut} tests are of the slow half: npm run slow`);
console.log(`\n${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`);
process.exitCode = totals.failed === 0 ? 0 : 1;
