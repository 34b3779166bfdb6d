// Services with a leak planted, and with none, asked through the command line; docs/leaks.md says what came out.
// Resumable: what is in test/bench/leak/results is not measured again. Alone on the machine.
// Usage: node scripts/bench.mjs leak [--variant=part of a name] [--times=1] [--minutes=60] [--report: only writes docs/leaks.md]
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { type LeakReport, leakReportSchema } from '../../../src/model/domain/leak.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder } from '../../support/engine.ts';
import { type Planted, planted } from './planted.ts';
import { page } from './page.ts';
import { type Measured, measuredSchema } from './measured.ts';

const folder = path.join(repositoryDir, 'test', 'bench', 'leak');
const file = path.join(folder, 'results', 'leak.jsonl');
const longestMs = 240_000;

const { values } = parseArgs({
  options: {
    variant: { type: 'string', default: '' },
    times: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '600' },
    report: { type: 'boolean', default: false },
  },
});

const results = existsSync(file)
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => measuredSchema.parse(JSON.parse(line)))
  : [];

try {
  if (!values.report) measureAll();
} finally {
  removeTemporaryFolders();
}
writeFileSync(path.join(repositoryDir, 'docs', 'leaks.md'), page(results));
console.log('docs/leaks.md is written.');

/** Each once before any twice. */
function measureAll(): void {
  const deadlineMs = performance.now() + 60_000 * Number(values.minutes);
  const workspace = workspaceOf();
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: repositoryDir, encoding: 'utf8' }).trim();
  for (let repeat = 1; repeat <= Number(values.times); repeat += 1)
    for (const one of planted) {
      const variant = `${one.runtime} ${one.kind}`;
      const isDone = results.some((result) => result.variant === variant && result.repeat === repeat);
      if (isDone || !variant.includes(values.variant) || performance.now() > deadlineMs) continue;
      const measured = { variant, repeat, commit, ...measure(one, workspace) };
      results.push(measured);
      mkdirSync(path.dirname(file), { recursive: true });
      appendFileSync(file, `${JSON.stringify(measured)}\n`);
      console.log(
        `${measured.outcome.padEnd(9)} ${variant} · ${repeat}: ${measured.verdict} ${Math.round(measured.kept ?? 0)} B/request, named: ${String(measured.named)}`,
      );
    }
}

/** A folder that declares all of them. */
function workspaceOf(): string {
  const workspace = temporaryFolder('leak');
  for (const name of ['service.cjs', 'Service.java']) copyFileSync(path.join(folder, 'services', name), path.join(workspace, name));
  execFileSync('javac', ['-d', workspace, path.join(workspace, 'Service.java')]);
  const commands = {
    node: ['node', 'service.cjs'],
    jvm: ['java', '-Dsun.net.httpserver.nodelay=true', '-cp', '.', 'Service'],
  };
  const targets = planted.map(({ runtime, kind }) => ({
    id: `${runtime}-${kind}`,
    runtime,
    command: commands[runtime],
    env: { KIND: kind },
    routes: [{ path: '/' }],
    build: [],
  }));
  writeFileSync(path.join(workspace, 'benchside.json'), JSON.stringify({ targets }));
  return workspace;
}

type Outcome = Pick<Measured, 'outcome' | 'verdict' | 'kept' | 'low' | 'high' | 'named' | 'cycles' | 'requests' | 'spentS'>;

function measure({ runtime, kind, leaks, names }: Planted, workspace: string): Outcome {
  const args = ['leak', '--json', '--workspace', workspace, '--target', `${runtime}-${kind}`, '--connections', '8'];
  const { stdout, stderr } = spawnSync(process.execPath, [path.join(repositoryDir, 'bin', 'benchside.cjs'), ...args], {
    encoding: 'utf8',
    timeout: longestMs,
    maxBuffer: 64 * 2 ** 20,
    env: { ...process.env, BENCHSIDE_STORAGE: path.join(workspace, 'storage') },
  });
  const said = z.object({ leak: leakReportSchema }).safeParse(safely(stdout));
  if (!said.success) {
    console.error(stderr.slice(-2_000));
    return { outcome: 'failed', verdict: 'undecided', kept: null, low: null, high: null, named: null, cycles: 0, requests: 0, spentS: 0 };
  }
  const { leak } = said.data;
  const right = leaks ? 'leaks' : 'does-not-leak';
  return {
    outcome: leak.verdict === right ? 'right' : leak.verdict === 'undecided' ? 'withheld' : 'wrong',
    verdict: leak.verdict,
    kept: leak.kept?.mean ?? null,
    low: leak.kept?.low ?? null,
    high: leak.kept?.high ?? null,
    named: names === null || leak.verdict !== 'leaks' ? null : names.every((name) => wordsOf(leak).some((word) => word.includes(name))),
    cycles: leak.cycles.length,
    requests: leak.cycles.at(-1)?.requests ?? 0,
    spentS: leak.spentS,
  };
}

function safely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** All that the answer names. */
function wordsOf({ classes, holders, stacks }: LeakReport): string[] {
  return [
    ...classes.map(({ name }) => name),
    ...holders.map(({ kind, name }) => `${kind} ${name ?? ''}`),
    ...stacks.flatMap(({ frames }) => frames.map(({ name, file: place, line }) => `${name} ${path.basename(place)}:${line}`)),
  ];
}
