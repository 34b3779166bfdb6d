// Runs every suite and prints one line with the sum. Usage: node scripts/test.mjs [suite …] [--long]
// Suites: check unit parallel alone editor, and slow: test/slow and the tests with the tag “slow”, which the others leave out, one file at a time.
// --long: also the tests with the tag “long”, as CI does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root, setUp } from './setup.mjs';

/** What runs at the same time as what. A window of the editor waits more than it works, as do most tests of large parts; what looks at times is in the suite that runs alone. */
const all = [['check'], ['unit'], ['parallel', 'editor'], ['alone']];
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const withLong = process.argv.includes('--long');
const stages = chosen.length > 0 ? [...all, ['slow']].map((stage) => stage.filter((name) => chosen.includes(name))) : all;
const suites = stages.flat();
/** `long`, `slow`: tests with the tag that were left out. */
const totals = { passed: 0, failed: 0, skipped: 0, long: 0, slow: 0 };
/** For the end of the output, so that whoever sees only its tail still learns which test it was, and why. */
const failures = [];
/** How long each file took, and each suite, for the end of the output too. */
const fileTimes = [];
const suiteTimes = [];

/** @param name suite, file and test; `why` may be long and coloured */
function note(name, why) {
  const lines = why.replaceAll(/\u001b\[[0-9;]*m/g, '').split('\n');
  const own = lines.filter((line) => line.trim() !== '' && !/node_modules|node:internal/.test(line));
  failures.push([`✗ ${name}`, ...own.slice(0, 30).map((line) => `    ${line.slice(0, 300)}`)].join('\n'));
}

function giveUp(message) {
  console.error(`set-up: ${message}`);
  console.log('0 passed, 1 failed');
  process.exit(1);
}

try {
  await setUp();
} catch (error) {
  giveUp(error.message);
}
suiteTimes.push({ name: 'set-up, but for what only tests need', ms: performance.now(), cpuS: cpuOfChildren() });

/** What only these suites need is fetched while the first ones run. */
const inNeed = ['parallel', 'editor', 'slow'];
const fetched = suites.some((name) => inNeed.includes(name)) ? setUpTests() : null;

async function setUpTests() {
  return ended(
    spawn(process.execPath, [path.join(root, 'scripts', 'setup.mjs'), '--only-tests'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
}

/** The end of a program, and what it printed, as far as that is not shown already. */
async function ended(child) {
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  const [code] = await once(child, 'close');
  return { code, output: Buffer.concat(output).toString() };
}

const bin = (name) => path.join(root, 'node_modules', name);
/** What was checked stays checked while it and what it imports are the same. */
const typesCache = ['--incremental', '--tsBuildInfoFile', path.join(root, '.cache', 'types.tsbuildinfo')];

/** A program that is one test: it passes or it does not. Its output is shown when it has ended, so that two may run at once. */
async function step(name, args) {
  const started = Date.now();
  const { code, output } = await ended(spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] }));
  const good = code === 0;
  totals[good ? 'passed' : 'failed'] += 1;
  process.stdout.write(output);
  if (!good) note(name, output);
  const ms = Date.now() - started;
  fileTimes.push({ name, ms });
  console.log(`${good ? '✓' : '✗'} ${name} (${seconds(ms)})`);
}

/** Runs steps, the longest first, each on the core that is free next. */
async function twoAtATime(steps) {
  const left = [...steps];
  const one = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await next();
  };
  await Promise.all([one(), one()]);
}

let packed = false;

/** Packs the extension once, if one of these suites drives it in the editor. */
async function pack(wanting) {
  if (packed || !wanting.some((name) => ['editor', 'slow'].includes(name))) return;
  packed = true;
  await step('package', ['scripts/package.mjs', '-o', path.join(root, '.cache', 'benchside.vsix'), '--for-tests']);
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** CPU time of all that was started and has ended, in s: how long a suite takes depends on what else the machine does, this hardly. NaN where the system does not report it. */
function cpuOfChildren() {
  const stat = existsSync('/proc/self/stat') ? readFileSync('/proc/self/stat', 'utf8') : '';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticksPerS = 100;
  return (Number(fields[13]) + Number(fields[14])) / ticksPerS;
}

/** The files of other suites that have a test with the tag. */
function taggedFiles() {
  return ['parallel', 'alone', 'editor'].flatMap((project) =>
    readdirSync(path.join(root, 'test', project))
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => path.join('test', project, name))
      .filter((file) => readFileSync(path.join(root, file), 'utf8').includes('slowHalf')),
  );
}

/** The files of the unit suite with properties, which the slow half tries on other inputs each time. */
function propertyFiles() {
  const folder = path.join('test', 'unit');
  return readdirSync(path.join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.join(folder, name))
    .filter((file) => readFileSync(path.join(root, file), 'utf8').includes("'fast-check'"));
}

/** What a file's tests came to, and what they say. A file that could not be loaded has no test that could fail. */
function faultsOf(suite, file, diffs) {
  const name = `${suite}  ${path.relative(root, file.name)}`;
  const tests = file.assertionResults.filter((one) => one.status === 'failed');
  if (tests.length === 0) return file.status === 'failed' ? [{ name, why: file.message ?? '' }] : [];
  return tests.map((one) => ({
    name: `${name}  ${one.fullName}`,
    why: [...(diffs[one.fullName] ?? []), ...(one.failureMessages ?? [])].join('\n'),
  }));
}

/**
 * One run of vitest, whose output is shown as it comes; while another one runs, when it has ended. Nothing is tried twice: what fails has failed.
 * @param leftOut tests with these tags are left out; `only`: those without this one
 */
async function vitest(suite, what, { leftOut = [], only = null, isAlone = true } = {}) {
  const output = path.join(root, '.cache', `vitest-${suite}.json`);
  mkdirSync(path.dirname(output), { recursive: true });
  rmSync(output, { force: true });
  const diffsFile = path.join(root, '.cache', `vitest-${suite}-diffs.json`);
  rmSync(diffsFile, { force: true });
  const wanted = only === null ? leftOut.map((tag) => `!${tag}`) : [only];
  const filter = wanted.length === 0 ? [] : [`--tags-filter=${wanted.join(' && ')}`];
  const args = [
    'run',
    ...what,
    ...filter,
    '--reporter=default',
    '--reporter=json',
    '--reporter=./scripts/testDiffs.mjs',
    `--outputFile.json=${output}`,
  ];
  const env = { ...process.env, BENCHSIDE_TEST_DIFFS: diffsFile, BENCHSIDE_SUITE: suite };
  const { code, output: shown } = await ended(
    spawn(process.execPath, [bin('vitest/vitest.mjs'), ...args], {
      cwd: root,
      env,
      stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    }),
  );
  process.stdout.write(shown);
  const files = existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')).testResults : null;
  if (files === null) {
    totals.failed += 1;
    note(suite, 'ended without a report');
    return;
  }
  const tests = files.flatMap((file) => file.assertionResults);
  const count = (statuses) => tests.filter(({ status }) => statuses.includes(status)).length;
  const tagOf = ({ tags = [] }) => leftOut.find((tag) => tags.includes(tag));
  const others = tests.filter((one) => (only === null ? tagOf(one) !== undefined : !(one.tags ?? []).includes(only)));
  const diffs = existsSync(diffsFile) ? JSON.parse(readFileSync(diffsFile, 'utf8')) : {};
  const faults = files.flatMap((file) => faultsOf(suite, file, diffs));
  totals.passed += count(['passed']);
  totals.failed += faults.length;
  totals.skipped += count(['pending', 'skipped', 'todo']) - others.length;
  if (only === null) for (const one of others) totals[tagOf(one)] += 1;
  for (const { name, why } of faults) note(name, why);
  for (const { name, startTime, endTime } of files) fileTimes.push({ name: path.relative(root, name), ms: endTime - startTime });
  if (code !== 0 && faults.length === 0) {
    totals.failed += 1;
    note(suite, `ended with exit code ${String(code)} although no test failed: see its output`);
  }
}

/** @param isAlone whether no other suite runs meanwhile */
async function run(suite, isAlone) {
  if (inNeed.includes(suite)) {
    const { code, output } = await fetched;
    if (code !== 0) giveUp(`what the tests need could not be had.\n${output}`);
  }
  console.log(`\n── ${suite} ──`);
  if (suite === 'check') {
    const knip = [bin('knip/bin/knip.js'), '--no-progress'];
    await twoAtATime([
      () => step('lint', [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings']),
      () => step('types', [bin('typescript-native/bin/tsc'), '-p', '.', ...typesCache]),
      () => step('types of the script for k6', [bin('typescript-native/bin/tsc'), '-p', 'profiles/k6']),
      () => step('what nobody uses', knip),
      () => step('what only tests use', [...knip, '--production']),
      () => step('the manifest (else run: npm run manifest)', ['scripts/manifest.mjs', '--check']),
      () => pack(suites),
      () => step('format (else run: npm run format)', [bin('oxfmt/bin/oxfmt'), '--check']),
    ]);
    return;
  }
  await pack([suite]);
  if (suite === 'slow') {
    process.env.BENCHSIDE_PROPERTIES = 'random';
    await vitest('properties', [...propertyFiles(), '--project=unit']);
    if (existsSync(path.join(root, 'test', 'slow'))) await vitest('slow', ['--project=slow']);
    await vitest('tagged', [...taggedFiles(), '--project=!unit', '--no-file-parallelism'], { only: 'slow' });
  } else await vitest(suite, [`--project=${suite}`], { leftOut: suite === 'unit' ? [] : ['slow', ...(withLong ? [] : ['long'])], isAlone });
}

for (const stage of stages.filter(({ length }) => length > 0)) {
  const [started, cpuBefore] = [Date.now(), cpuOfChildren()];
  await Promise.all(stage.map((suite) => run(suite, stage.length === 1)));
  suiteTimes.push({ name: stage.join(' beside '), ms: Date.now() - started, cpuS: cpuOfChildren() - cpuBefore });
}

const slowest = fileTimes.filter(({ ms }) => ms >= 1000).sort((a, b) => b.ms - a.ms);
console.log('\n── how long each file took from its first test to its last, where that is a second or more ──');
for (const { name, ms } of slowest) console.log(`${seconds(ms).padStart(8)}  ${name}`);
for (const { name, ms, cpuS } of suiteTimes)
  console.log(`${seconds(ms).padStart(8)}  all of ${name}${Number.isNaN(cpuS) ? '' : `, which took ${cpuS.toFixed(0)} s of CPU time`}`);
console.log(`${seconds(performance.now()).padStart(8)}  all together`);
if (failures.length > 0) console.log(`\n── failed ──\n${failures.join('\n\n')}`);
if (totals.long > 0) console.log(`\n${totals.long} tests take long, and CI runs them: npm test -- --long`);
if (totals.slow > 0) console.log(`\n${totals.slow} tests are of the slow half: npm run slow`);
console.log(`\n${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`);
process.exitCode = totals.failed === 0 ? 0 : 1;
