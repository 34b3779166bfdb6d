// Sets up what is missing, and only that: dependencies, the Node sample, the Java sample, the bundles.
// Usage: node scripts/setup.mjs [--tests]   (--tests: also the browser, the VS Code host and what they need)
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once as onceEmitted } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildJvmProbe, jvmProbeFile, jvmProbeInputs } from './buildJvmProbe.mjs';
import { checkedMaven, mavenListFile } from './mavenArtefacts.mjs';
import { asyncProfilerProblem, fetchAsyncProfiler } from './fetchAsyncProfiler.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** What Maven makes of the Java sample and of what the lab makes of it. */
export const javaSampleJars = ['samples/java/target/bulletin-board.jar', 'samples/lab/java/target/bulletin-board-lab.jar'];

/** Runs a program to its end and shows its output only when it fails. */
export function run(program, args, { cwd = root, what, env = process.env, show = false } = {}) {
  const result = spawnSync(program, args, {
    cwd,
    env,
    stdio: show ? 'inherit' : 'pipe',
    encoding: 'utf8',
    // npm and Maven are scripts there; a whole path, which may have blanks, is that of a program.
    shell: process.platform === 'win32' && !path.isAbsolute(program),
    maxBuffer: 1 << 28,
  });
  if (result.status === 0) return result.stdout ?? '';
  const output = show ? '' : `\n${[result.stdout, result.stderr].filter(Boolean).join('\n').trim().slice(-4000)}`;
  const error = new Error(
    `${what ?? `${program} ${args.join(' ')}`} failed${result.error ? `: ${result.error.message}` : ` with code ${result.status ?? result.signal}`}.${output}`,
  );
  throw error;
}

export function has(program, args = ['--version']) {
  return spawnSync(program, args, { stdio: 'ignore', shell: process.platform === 'win32' }).status === 0;
}

function hashOf(files) {
  const hash = createHash('sha256').update(process.version);
  for (const file of files) hash.update(file).update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

function filesBelow(folder) {
  const absolute = path.join(root, folder);
  if (!existsSync(absolute)) return [];
  return (
    readdirSync(absolute, { recursive: true })
      .map((name) => path.join(folder, name))
      // What Maven makes below its project is a result, not a source.
      .filter((file) => !file.split(path.sep).includes('target') && statSync(path.join(root, file)).isFile())
      .sort()
  );
}

/** Does `work` unless it was done for exactly these files, or what it makes is gone. */
async function once(name, { inputs, makes }, say, work) {
  const marker = path.join(root, '.cache', `${name}.sha256`);
  const hash = hashOf(inputs);
  const done = existsSync(marker) && readFileSync(marker, 'utf8') === hash && makes.every((file) => existsSync(path.join(root, file)));
  if (done) return;
  console.error(`set-up: ${say}`);
  await work();
  mkdirSync(path.dirname(marker), { recursive: true });
  writeFileSync(marker, hash);
}

function javaMajor(program = 'java') {
  const result = spawnSync(program, ['-version'], { encoding: 'utf8' });
  const version = /version "(\d+)(?:\.(\d+))?/.exec(result.stderr ?? '');
  return version === null ? null : Number(version[1] === '1' ? version[2] : version[1]);
}

/** Why the Java sample cannot be built here, or null. */
export function javaProblem() {
  const major = javaMajor();
  if (major === null) return 'there is no Java on this machine; install a JDK, 17 or later';
  if (major < 17) return `Java ${major} is too old; install a JDK, 17 or later`;
  if (!has('javac')) return 'there is a Java, but no compiler; install a JDK, not only a runtime';
  if (!has('mvn')) return 'Maven (mvn) is missing; install it';
  return null;
}

/** The apps of others that the probe for Node is tried on: their packages, by a lockfile of their own. */
async function installProbedApps(environment) {
  const [source, folder] = ['test/fixtures/nodeProbe', '.cache/nodeProbe'].map((name) => path.join(root, name));
  const inputs = ['test/fixtures/nodeProbe/package-lock.json'];
  await once(
    'probed-apps',
    { inputs, makes: ['.cache/nodeProbe/node_modules/express/package.json'] },
    'installing the apps that the probe is tried on',
    () => {
      mkdirSync(folder, { recursive: true });
      for (const name of ['package.json', 'package-lock.json']) copyFileSync(path.join(source, name), path.join(folder, name));
      // Some of them ask for a later Node than the oldest that is supported here, and run on it.
      run(npm, ['ci', '--ignore-scripts', '--engine-strict=false'], {
        cwd: folder,
        what: 'npm ci of the apps that the probe is tried on',
        env: environment,
      });
      writeFileSync(
        path.join(folder, 'packages.sha256'),
        createHash('sha256')
          .update(readFileSync(path.join(source, 'package-lock.json')))
          .digest('hex'),
      );
    },
  );
}

/** What Maven builds or fetches. */
async function setUpJava() {
  const withoutJava = javaProblem();
  if (withoutJava === null) {
    const projects = ['samples/java', 'samples/lab/java'];
    const inputs = [
      ...[mavenListFile, 'samples/lab/pom.xml', 'samples/lab/database/words.txt', ...projects.map((project) => `${project}/pom.xml`)],
      ...projects.flatMap((project) => filesBelow(`${project}/src`)),
    ];
    await once('sample-java', { inputs, makes: javaSampleJars }, 'building the Java sample and the lab’s (about 30 s)', async () => {
      const args = ['-q', '-B', '-ntp', ...(await checkedMaven(root)), 'package'];
      run('mvn', args, { cwd: path.join(root, 'samples/lab'), what: 'the build of the Java sample' });
    });
    const [project, sources] = jvmProbeInputs;
    await once('jvm-probe', { inputs: [project, ...filesBelow(sources)], makes: [jvmProbeFile] }, 'building the probe for the JVM', () =>
      buildJvmProbe({ root }),
    );
  } else {
    console.error(`set-up: the Java sample and the probe for the JVM are left out: ${withoutJava}.`);
  }
  const platform = `${process.platform}-${process.arch}`;
  if (asyncProfilerProblem(platform) === null && has('mvn')) {
    const makes = [`vendor/async-profiler/${platform}/version.txt`];
    await once('async-profiler', { inputs: ['scripts/fetchAsyncProfiler.mjs'], makes }, 'fetching async-profiler', () =>
      fetchAsyncProfiler({ root, platforms: [platform] }),
    );
  }
}

export async function setUp({ tests = false } = {}) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) throw new Error(`Node ${process.versions.node} is too old; install Node 20.19 or later.`);
  const environment = quietly();
  await once('dependencies', { inputs: ['package-lock.json'], makes: ['node_modules/esbuild'] }, 'installing dependencies', () =>
    run(npm, ['ci', '--ignore-scripts'], { what: 'npm ci', env: environment }),
  );
  // Maven and npm each wait for the network and use one core for long: at the same time.
  const java = inOwnProcess('--only-java');
  for (const [name, folder, proof] of [
    ['sample-node', 'samples/node', 'pg'],
    ['lab-node', 'samples/lab/node', 'busboy'],
  ]) {
    const files = { inputs: [`${folder}/package-lock.json`], makes: [`${folder}/node_modules/${proof}/package.json`] };
    await once(name, files, `installing the packages of ${folder}`, () =>
      run(npm, ['ci', '--ignore-scripts'], { cwd: path.join(root, folder), what: `npm ci in ${folder}`, env: environment }),
    );
  }
  const pages = ['photo.jpg', 'bundle.js', 'page.html'].map((name) => `samples/lab/static/${name}`);
  await once('lab-static', { inputs: ['samples/lab/static/generate.mjs'], makes: pages }, 'making the static files of the lab', () =>
    run(process.execPath, ['samples/lab/static/generate.mjs'], { what: 'the making of the static files' }),
  );
  const bundles = [
    'dist/engine.cjs',
    'dist/reaper.cjs',
    'dist/loadWorker.cjs',
    'dist/distanceProxy.cjs',
    'dist/steadyWork.cjs',
    'dist/profileWorker.cjs',
    'dist/runListWorker.cjs',
    'dist/readingWorker.cjs',
    'dist/k6Worker.cjs',
    'dist/nodeProbe.cjs',
    'dist/cli.cjs',
    'dist/extension.cjs',
    'dist/webview/workbench.js',
    'dist/webview/flame.js',
    'dist/webview/flamePage.js',
    'dist/webview/report.js',
  ];
  const inputs = [
    'package-lock.json',
    'package.json',
    'scripts/build.mjs',
    'scripts/commonJsParts.mjs',
    ...filesBelow('src'),
    ...filesBelow('webview'),
  ];
  await once('bundles', { inputs, makes: bundles }, 'building', () => run(process.execPath, ['scripts/build.mjs'], { what: 'the build' }));
  if (!(await java)) throw new Error('the Java sample and the probe for the JVM were not built, see above');
  if (tests) await setUpTests();
}

/** What only tests need, where everything else is there: system packages, a browser, the editor, apps of others. */
async function setUpTests() {
  run(process.execPath, ['scripts/installSystemPackages.mjs'], { what: 'the installation of system packages', show: true });
  await installProbedApps(quietly());
  run(process.execPath, ['tools/vscode-host/install.mjs'], { what: 'the installation of the VS Code host', show: true });
}

/** A part of the set-up, at the same time as the rest; whether it went well. It says itself what went wrong. */
async function inOwnProcess(part) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), part], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await onceEmitted(child, 'close');
  return code === 0;
}

function quietly() {
  return { ...process.env, npm_config_fund: 'false', npm_config_audit: 'false', npm_config_update_notifier: 'false' };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const parts = { '--only-tests': setUpTests, '--only-java': setUpJava };
  const part = Object.keys(parts).find((name) => process.argv.includes(name));
  const wanted = part === undefined ? setUp({ tests: process.argv.includes('--tests') }) : parts[part]();
  wanted.catch((error) => {
    console.error(`set-up: ${error.message}`);
    process.exitCode = 1;
  });
}
