import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { briefLoad, removeTemporaryFolders, repositoryDir, temporaryFolder, TestEngine } from '../support/engine.ts';
import { commitFiles, gitRepository } from '../support/gitRepository.ts';
import { type RouteDiff, type VersionMetric, routeDiffSchema, versionDiffSchema } from '../../src/model/domain/versionDiff.ts';
import { diffHeadline, diffNotes } from '../../src/model/presentation/diffWords.ts';

/** A comparison as `--json` prints it. */
const wordedDiffSchema = versionDiffSchema.extend({
  headline: z.string(),
  reasons: z.array(z.string()),
  notes: z.array(z.string()),
  routes: z.array(routeDiffSchema.extend({ unknown: z.string().nullable() })).optional(),
});
interface OfRoutes {
  routes?: readonly Pick<RouteDiff, 'route' | 'metrics'>[] | undefined;
}

const service = (slow: number): string => `
  const work = (times) => {
    let sum = 0;
    for (let n = 0; n < times; n += 1) sum += Math.sqrt(n);
    return String(sum);
  };
  require('node:http').createServer((request, response) => {
    response.end(request.url === '/slow' ? work(${slow}) : work(1000));
  }).listen(process.env.PORT);`;
const step = (name: string) => ({ name, path: `/${name}` });
const declaration = {
  targets: [
    {
      id: 'shop',
      runtime: 'node',
      command: ['node', 'server.js'],
      routes: [
        { path: '/plain', weight: 3 },
        { path: '/slow', weight: 1 },
      ],
      build: [],
    },
  ],
  loadProfiles: [
    { ...briefLoad, timeoutMs: 5000 },
    {
      ...briefLoad,
      name: 'ramp',
      durationS: 2,
      timeoutMs: 5000,
      stages: [
        { users: 4, seconds: 0 },
        { users: 4, seconds: 2 },
      ],
    },
    { ...briefLoad, name: 'users', timeoutMs: 5000, roles: [{ name: 'reader', weight: 1, steps: [step('plain'), step('slow')] }] },
  ],
};

let workspaceDir: string;
let storageDir: string;
beforeAll(() => {
  const files = { 'benchside.json': JSON.stringify(declaration), '.gitignore': '.benchside\nout.*\n' };
  workspaceDir = gitRepository({ ...files, 'server.js': service(5000) });
  commitFiles(workspaceDir, { 'server.js': service(50_000) }, 'more work on one route');
  storageDir = temporaryFolder('storage');
});
afterAll(removeTemporaryFolders);

function benchside(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const cli = path.join(repositoryDir, 'dist', 'cli.cjs');
  const env = { ...process.env, BENCHSIDE_STORAGE: storageDir };
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: workspaceDir, encoding: 'utf8', env });
  return { code: status, stdout, stderr };
}

/** p99 of each route that was compared at a rate of its own. */
function ratesOf({ routes = [] }: OfRoutes): Map<string, VersionMetric> {
  return new Map(
    routes.flatMap(({ route, metrics }) =>
      metrics.filter(({ name }) => /^p99 at [\d,]+ req\/s$/.test(name)).map((one) => [route, one] as const),
    ),
  );
}

/** Each route has its p99, or is named among those that answer too little for one on this machine; one at least has it. */
function expectToldOf(diff: OfRoutes, notes: readonly string[]): void {
  const rates = ratesOf(diff);
  const without = notes.find((note) => note.startsWith('p99 at a fixed rate is not known of ')) ?? '';
  expect(rates.has('GET /plain'), without).toBe(true);
  expect(rates.has('GET /slow') || /not known of GET \/slow: /.test(without), without).toBe(true);
}

describe('benchside diff of two commits', () => {
  it('has p99 of the mix and of each route at rates of their own in every output', { timeout: 540_000 }, () => {
    const asked = ['--load', 'brief', '--budget', '300', '--p99', 'routes', '--slo', 'p99 <= 5 s, errors <= 0.1 %', '--fail-on', 'worse'];
    const { code, stdout, stderr } = benchside('diff', 'HEAD~1', 'HEAD', ...asked, '--markdown', 'out.md', '--junit', 'out.xml');
    expect(code, stderr).toBe(3);
    const [id = ''] = readdirSync(path.join(workspaceDir, '.benchside', 'runs')).filter((name) => !name.startsWith('.'));
    const stored = JSON.parse(readFileSync(path.join(workspaceDir, '.benchside', 'runs', id, 'run.json'), 'utf8')) as { result: unknown };
    const diff = versionDiffSchema.parse(stored.result);
    const rates = ratesOf(diff);
    expectToldOf(diff, diffNotes(diff));
    // Ten times the computing is seen in the latency of its route, at a rate of its own.
    const slow = rates.get('GET /slow');
    if (slow !== undefined) expect(slow.ratio?.mean).toBeGreaterThan(1);
    if (slow !== undefined) expect(slow.name).not.toBe(rates.get('GET /plain')?.name);
    const mix = diff.metrics.find(({ id: figure }) => figure === 'p99');
    expect(mix?.name).toMatch(/^p99 at [\d,]+ req\/s$/);
    // The terminal.
    expect(stdout).toContain(diffHeadline(diff));
    expect(stdout).toContain(mix?.name);
    expect(stdout).toMatch(/Route +Share +throughput +CPU +p99/);
    expect(stdout).toMatch(
      /The objective \(p99 at a fixed rate, the rest under the load of the profile\): p99 at [\d,]+ req\/s ≤ 5000 ms: HEAD~1 /,
    );
    // For a pull request.
    const markdown = readFileSync(path.join(workspaceDir, 'out.md'), 'utf8');
    expect(markdown).toMatch(/^<!-- benchside-diff -->\n### /);
    expect(markdown).toContain(`| ${mix?.name ?? ''} (ms) |`);
    expect(markdown).toMatch(/\| Route \| Share \| throughput \| CPU \| p99 \|/);
    // Of a route p99 is shown, and judges nothing until --judge-by names it.
    const junit = readFileSync(path.join(workspaceDir, 'out.xml'), 'utf8');
    expect(junit).toMatch(/<testcase classname="GET \/slow" name="CPU per request">/);
    expect(junit).not.toContain('name="p99');
  });

  it('has a case of JUnit for p99 of each route that is to be judged by it, and the same in JSON', { timeout: 540_000 }, () => {
    const asked = ['--load', 'brief', '--budget', '300', '--p99', 'routes', '--judge-by', 'throughput,p99', '--figures-only'];
    const { code, stdout, stderr } = benchside('diff', 'HEAD', 'HEAD~1', ...asked, '--json', '--junit', 'out.xml');
    expect(code, stderr).toBe(0);
    const { diff } = JSON.parse(stdout) as { diff: unknown };
    const parsed = wordedDiffSchema.parse(diff);
    expect(parsed.headline).toMatch(/^HEAD~1 /);
    const junit = readFileSync(path.join(workspaceDir, 'out.xml'), 'utf8');
    expectToldOf(parsed, parsed.notes);
    for (const [route, { name }] of ratesOf(parsed)) expect(junit).toContain(`<testcase classname="${route}" name="${name}"`);
  });

  it.each(['ramp', 'users'])(
    'says under the load “%s” why no route was measured alone, and p99 not at a fixed rate',
    { timeout: 200_000 },
    async (load) => {
      const engine = await TestEngine.start({ workspaceDir, storageDir });
      try {
        const { compared } = await engine.measure({
          kind: 'diff',
          base: 'HEAD~1',
          head: 'HEAD',
          load,
          budgetS: 90,
          why: false,
          p99: 'routes',
        });
        expect(compared?.diff.routes).toBeUndefined();
        const notes = compared === undefined ? [] : diffNotes(compared.diff);
        expect(notes).toEqual(
          expect.arrayContaining([
            expect.stringMatching(/^No route was measured alone: (under a load in stages|users in roles) /),
            expect.stringMatching(/^p99 was not compared at a fixed rate: users in roles or stages come at a pace of their own/),
          ]),
        );
        expect(compared?.markdown).toContain('No route was measured alone');
      } finally {
        await engine.dispose();
      }
    },
  );
});
