// Replaces kubectl, the k6 operator and a cluster: understands the calls that Benchside makes and no others, and runs the same script and plan with the
// k6 of this machine. What is “in the cluster” lies in the folder KUBECTL_STATE. A file `fault` there says what goes wrong; without a k6 (KUBECTL_K6 empty) the
// runners write a file that was made up.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseAllDocuments } from 'yaml';

const state = process.env['KUBECTL_STATE'] ?? '';
const k6 = process.env['KUBECTL_K6'] ?? '';
const fault = existsSync(path.join(state, 'fault')) ? readFileSync(path.join(state, 'fault'), 'utf8') : '';
const objects = path.join(state, 'objects');
const volume = path.join(state, 'volume');
for (const folder of [objects, volume]) mkdirSync(folder, { recursive: true });

const flags = new Map();
const words = [];
for (const word of process.argv.slice(2)) {
  const [, name, value = ''] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
  if (name === undefined) words.push(word);
  else flags.set(name, value);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const fileOf = (kind, name) => path.join(objects, `${kind}.${name}.json`);
const read = (kind, name) => (existsSync(fileOf(kind, name)) ? JSON.parse(readFileSync(fileOf(kind, name), 'utf8')) : null);
const write = (kind, name, object) => writeFileSync(fileOf(kind, name), JSON.stringify(object));
const kinds = { PersistentVolumeClaim: 'persistentvolumeclaims', Pod: 'pods', ConfigMap: 'configmaps', TestRun: 'testruns.k6.io' };

if (flags.get('context') === undefined || flags.get('namespace') === undefined) fail('no context or namespace was named');
if (flags.get('context') !== 'here') fail(`error: context "${flags.get('context')}" does not exist`);
if (flags.get('namespace') !== 'load') fail(`Error from server (NotFound): namespaces "${flags.get('namespace')}" not found`);
if (fault === 'no-operator') fail('error: the server doesn\'t have a resource type "testruns"');

const [verb = '', subject = '', target = ''] = words;
if (verb === 'create') await create();
else if (verb === 'get' && subject === 'testruns.k6.io' && flags.get('output') === 'name') process.exit(0);
else if (verb === 'get' && subject.startsWith('testruns.k6.io/')) await stageOf(subject.slice('testruns.k6.io/'.length));
else if (verb === 'get' && subject === 'pods') pods();
else if (verb === 'wait') waitFor();
else if (verb === 'logs') logs();
else if (verb === 'cp') copy(subject, target);
else if (verb === 'delete') remove(words.slice(1));
else fail(`the stand-in knows no kubectl ${process.argv.slice(2).join(' ')}`);

async function create() {
  for (const document of parseAllDocuments(readFileSync(flags.get('filename'), 'utf8'))) {
    const object = document.toJS();
    const { name } = object.metadata;
    if (existsSync(fileOf(kinds[object.kind], name))) fail(`Error from server (AlreadyExists): ${name} already exists`);
    write(kinds[object.kind], name, object);
    if (object.kind === 'TestRun') await begin(object);
  }
}

/** What the operator does with a TestRun: a paused k6 for each runner. */
async function begin(run) {
  const { name } = run.metadata;
  const { parallelism, runner, script } = run.spec;
  const config = read('configmaps', script.configMap.name);
  const folder = path.join(state, 'tests', name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(config.data)) writeFileSync(path.join(folder, file), text);
  const cuts = ['0', ...Array.from({ length: parallelism - 1 }, (_, index) => `${index + 1}/${parallelism}`), '1'];
  const runners = [];
  for (let index = 0; index < parallelism; index++) {
    const pod = `${name}-${index + 1}-abcde`;
    const env = { POD_NAME: pod };
    for (const { name: variable, value } of runner.env)
      if (value !== undefined)
        env[variable] = value.replace(/\$\((\w+)\)/g, (_whole, other) => env[other] ?? '').replace('/results/', `${volume}/`);
    const one = {
      pod,
      segment: `${cuts[index]}:${cuts[index + 1]}`,
      log: path.join(folder, `${pod}.log`),
      code: path.join(folder, `${pod}.code`),
    };
    runners.push(k6 === '' ? { ...one, ...madeUp(one, env, folder) } : await started(one, env, { folder, cuts, index }));
    // Whoever asks may be ended before all have begun.
    write('testruns.k6.io', name, { ...run, runners, stage: index === parallelism - 1 ? 'created' : 'initialized' });
  }
}

async function started(one, env, { folder, cuts, index }) {
  const port = await freePort();
  const segment = cuts.length === 2 ? [] : [`--execution-segment=${one.segment}`, `--execution-segment-sequence=${cuts.join(',')}`];
  const tags = ['--tag', `instance_id=${index + 1}`, '--tag', `testrun_name=${path.basename(folder)}`];
  const args = ['run', '--quiet', ...segment, 'script.js', `--address=127.0.0.1:${port}`, '--paused', ...tags];
  const child = spawn('sh', ['-c', `"$@" >"$LOG" 2>&1; echo $? >"$CODE"`, 'sh', k6, ...args], {
    cwd: folder,
    // A pod inherits nothing of whoever asks for it.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env, LOG: one.log, CODE: one.code },
    detached: true,
    stdio: 'ignore',
  });
  child.unref();
  return { ...one, port, pid: child.pid };
}

/** A runner without a k6: ten requests a second, for as long as the plan says. */
function madeUp({ segment, log }, env, folder) {
  const { settleS, durationS, id } = JSON.parse(readFileSync(path.join(folder, 'plan.json'), 'utf8'));
  const startMs = Date.now() + (fault === 'clocks' ? 60_000 : 0);
  const endMs = startMs + 1000 * (settleS + durationS);
  const rows = ['metric_name,timestamp,metric_value,error_code,expected_response,method,name,scenario,status,extra_tags,metadata'];
  rows.push(`benchside_started,${startMs * 1000},${startMs}.000000,,,,,mix,,segment=${segment}&benchside=${id}.0,`);
  for (let atMs = startMs + 10; atMs < endMs; atMs += 10)
    rows.push(`http_req_duration,${atMs * 1000},5.000000,,true,GET,GET /,mix,200,benchside=${id}.0,`);
  writeFileSync(env.K6_OUT.slice('csv='.length), gzipSync(`${rows.join('\n')}\n`));
  writeFileSync(log, `time="x" level=info msg="benchside started ${startMs} ${segment}" source=console\n`);
  return { endMs };
}

async function stageOf(name) {
  const run = read('testruns.k6.io', name);
  if (run === null) fail(`Error from server (NotFound): testruns.k6.io "${name}" not found`);
  if (run.stage === 'created' && fault !== 'never-starts') {
    if (fault === 'pod-failed') run.stage = 'error';
    else if (k6 === '') run.stage = 'started';
    else if ((await Promise.all(run.runners.map(({ port }) => status(port)))).every((number) => number >= 4)) {
      await Promise.all(run.runners.map(({ port }) => status(port, { paused: false })));
      run.stage = 'started';
    }
  } else if (run.stage === 'started') {
    const codes = run.runners.map(({ code, endMs }) => {
      if (endMs !== undefined) return Date.now() > endMs ? 0 : null;
      return existsSync(code) && statSync(code).size > 0 ? Number(readFileSync(code, 'utf8')) : null;
    });
    if (codes.every((code) => code !== null)) run.stage = codes.every((code) => code === 0) ? 'finished' : 'error';
  }
  write('testruns.k6.io', name, run);
  process.stdout.write(run.stage);
}

function selected() {
  const [, name] = /k6_cr=([^,]+)/.exec(flags.get('selector') ?? '') ?? [];
  return name === undefined ? [] : (read('testruns.k6.io', name)?.runners ?? []);
}

function pods() {
  if (flags.get('output') !== undefined)
    process.stdout.write(
      selected()
        .map(({ pod }) => `${pod}\n`)
        .join(''),
    );
  else
    process.stdout.write(
      `NAME STATUS\n${selected()
        .map(({ pod }) => `${pod} Error\n`)
        .join('')}`,
    );
}

function logs() {
  for (const { log } of selected()) if (existsSync(log)) process.stdout.write(readFileSync(log, 'utf8'));
}

function waitFor() {
  if (fault === 'no-volume' || read('pods', subject.slice('pod/'.length)) === null) fail('error: timed out waiting for the condition');
}

function copy(from, to) {
  const [, file = ''] = from.split(':/results/');
  const source = path.join(volume, file);
  if (!existsSync(source)) fail(`tar: ${file}: No such file or directory`);
  const whole = path.resolve(to);
  cpSync(source, whole);
  if (fault === 'cut-copy') truncateSync(whole, Math.floor(statSync(whole).size / 2));
}

function remove(named) {
  const [, id] = /^benchside\/run=(.+)$/.exec(flags.get('selector') ?? '') ?? [];
  const all = readdirSync(objects).map((file) => JSON.parse(readFileSync(path.join(objects, file), 'utf8')));
  const gone = all.filter(({ kind, metadata }) =>
    id === undefined ? named.includes(`${kinds[kind]}/${metadata.name}`) : metadata.labels['benchside/run'] === id,
  );
  for (const { kind, metadata, runners = [] } of gone) {
    for (const { pid } of runners) if (pid !== undefined) kill(pid);
    rmSync(fileOf(kinds[kind], metadata.name));
    if (kind === 'PersistentVolumeClaim') rmSync(volume, { recursive: true });
  }
}

function kill(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function freePort() {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function status(port, change) {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json' };
    const asked = request(
      { host: '127.0.0.1', port, path: '/v1/status', method: change === undefined ? 'GET' : 'PATCH', headers },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece) => (text += piece));
        answer.on('end', () => resolve(Number(/"status":\s*(\d+)/.exec(text)?.[1] ?? -1)));
      },
    );
    asked.on('error', () => resolve(-1));
    asked.end(change === undefined ? undefined : JSON.stringify({ data: { type: 'status', id: 'default', attributes: change } }));
  });
}
