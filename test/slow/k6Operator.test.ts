import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clusterLimits, OperatorGenerator } from '../../src/engine/k6/operatorGenerator.ts';
import { Journal } from '../../src/engine/supervise/journal.ts';
import { processIdentity } from '../../src/engine/supervise/identity.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import type { Cluster } from '../../src/model/domain/generator.ts';
import {
  appTarget,
  briefLoad,
  commandLine,
  failureOf,
  removeTemporaryFolders,
  repositoryDir,
  temporaryFolder,
  TestEngine,
  untilGone,
} from '../support/engine.ts';
import { k6Program, withoutK6 } from '../support/k6.ts';
import { StandInCluster } from '../support/kubectl.ts';
import { waitFor } from '../support/waitFor.ts';

const place: Cluster = { context: 'here', namespace: 'load', url: 'http://127.0.0.1:{port}' };
const block = {
  host: '127.0.0.1',
  port: 80,
  connections: 4,
  settleMs: 100,
  windowMs: 500,
  timeoutMs: 1000,
  seed: 1,
  mix: [{ method: 'GET' as const, path: '/', weight: 1, headers: {}, parameters: {} }],
};
const quick = { ...clusterLimits, startedMs: 700, endMs: 15_000, pollMs: 50 };

afterAll(removeTemporaryFolders);

describe('a cluster that does not do as it should', () => {
  let cluster: StandInCluster;
  let supervisor: Supervisor;
  let journals: string;
  const path_ = process.env['PATH'];
  beforeEach(() => {
    cluster = new StandInCluster(null);
    journals = temporaryFolder('journals');
    const self = processIdentity(process.pid);
    if (self === null) throw new Error('this process cannot be identified');
    supervisor = new Supervisor(new Journal(journals, 'cookie', self));
    process.env['PATH'] = cluster.path;
  });
  afterEach(async () => {
    process.env['PATH'] = path_;
    await supervisor.stopAll({ close: true });
  });

  const measured = async (changes: Partial<Cluster> = {}, signal = new AbortController().signal): Promise<unknown> => {
    const options = {
      supervisor,
      choice: { kind: 'k6-operator' as const, processes: 2 },
      cluster: { ...place, ...changes },
      assetsDir: repositoryDir,
    };
    const generator = await OperatorGenerator.find({ ...options, limits: quick }, signal);
    try {
      await generator.open(signal);
      return await generator.runBlock(block, { signal });
    } finally {
      await generator.close();
    }
  };

  it('is measured on when nothing goes wrong, and nothing is left in it', async () => {
    const { result, discardReasons } = (await measured()) as Awaited<ReturnType<OperatorGenerator['runBlock']>>;
    expect(discardReasons).toEqual([]);
    // Two runners, a request each 10 ms, for half a second.
    expect(Math.abs(result.requests - 100)).toBeLessThanOrEqual(2);
    expect(cluster.objects).toEqual([]);
  });

  it.each([
    ['no-operator', {}, 'k6-cluster', /The k6 operator is not installed/],
    ['', { context: 'there' }, 'k6-cluster', /kubectl knows no context “there”/],
    ['', { namespace: 'other' }, 'k6-cluster', /There is no namespace “other”/],
    ['no-volume', {}, 'k6-pods', /The volume for k6’s files.* was not ready/],
    ['never-starts', {}, 'k6-pods', /still “created” after 1 s/],
    ['pod-failed', {}, 'k6-pods', /the operator says “error” of it/],
    ['cut-copy', {}, 'k6-csv', /cut off in the middle/],
    ['clocks', {}, 'k6-pods', /clocks of the cluster and of this machine are 5\d(\.\d)? s apart/],
  ])('is told of in a sentence, and nothing is left in it: %s %j', async (fault, changes, code, sentence) => {
    cluster.fault = fault;
    const failed = await failureOf(measured(changes));
    expect([failed.code, failed.message]).toEqual([code, expect.stringMatching(sentence)]);
    expect(failed.cure).not.toBe('');
    expect(cluster.objects).toEqual([]);
  });

  it('is not asked without kubectl', async () => {
    process.env['PATH'] = '/nowhere';
    expect((await failureOf(measured())).code).toBe('kubectl-missing');
  });

  it('has nothing left in it after a cancel, whenever it comes', async () => {
    for (const atMs of [100, 400, 900]) {
      const cancel = new AbortController();
      const reason = new Error('cancelled');
      setTimeout(() => cancel.abort(reason), atMs);
      await expect(measured({}, cancel.signal)).rejects.toBe(reason);
      expect(cluster.objects).toEqual([]);
    }
  });
});

describe.skipIf(k6Program === null)(`the k6 operator, played by the real k6 (left out where ${withoutK6})`, () => {
  const file = { targets: [appTarget('svc', 'steadyService.mjs')], loadProfiles: [{ ...briefLoad, settleS: 1 }] };
  const request = { targets: ['svc'], settings: { pool: [4] }, load: 'brief', connections: [8], rounds: 1 };
  const generator = { kind: 'k6-operator' as const, processes: 2 };
  let cluster: StandInCluster;
  let engine: TestEngine;
  const start = (url: string, storageDir = temporaryFolder('storage')): Promise<TestEngine> =>
    TestEngine.start({ file, storageDir, env: { PATH: cluster.path }, k6: { path: null, ...place, url } });
  beforeEach(() => {
    cluster = new StandInCluster();
  });
  afterEach(async () => {
    await engine.dispose();
    cluster.end();
  });

  it('puts the load of a run on a process of this machine, of which CPU and figures are as ever', { timeout: 120_000 }, async () => {
    engine = await start(place.url);
    const run = await engine.run({ ...request, rounds: 2, generator });
    expect(run.environment.generator).toMatch(/^k6 [\d.]+, 2 runners of the k6 operator \(context here, namespace load\)$/);
    const [trial] = run.trials;
    expect(trial?.reasons).toEqual([]);
    expect(trial?.errors.total).toBe(0);
    expect(trial?.requests).toBeGreaterThan(20);
    expect(trial?.resources.app.cpuUsPerRequest).toBeGreaterThan(0);
    expect(cluster.objects).toEqual([]);
  });

  it(
    'asks a service in the cluster where one is named, of which no CPU is known, and refuses what would be done to another',
    { timeout: 120_000 },
    async () => {
      const asked = await TestEngine.start({ file });
      try {
        const { port } = await asked.request('target/start', { id: 'svc' });
        engine = await start(`http://127.0.0.1:${port}`);
        const run = await engine.run({ ...request, generator });
        expect(run.environment.generator).toContain(`, at http://127.0.0.1:${port}`);
        expect(run.trials[0]?.requests).toBeGreaterThan(20);
        expect(run.trials[0]?.resources.app.cpuUsPerRequest).toBeNull();
        for (const changes of [{ confirm: true }, { record: { events: [], seconds: 8 } }]) {
          const refused = await failureOf(engine.measure({ kind: 'run', ...request, ...changes, generator }));
          expect([refused.code, refused.message]).toEqual(['k6-cannot', expect.stringMatching(/the service is in the cluster/)]);
        }
      } finally {
        await asked.dispose();
      }
    },
  );

  it('is refused where context, namespace and address were not named', async () => {
    engine = await TestEngine.start({ file, env: { PATH: cluster.path } });
    const refused = await failureOf(engine.measure({ kind: 'run', ...request, generator }));
    expect([refused.code, refused.message]).toEqual([
      'k6-cluster',
      expect.stringMatching(/a context .* and a namespace .* and the address/),
    ]);
    expect(cluster.objects).toEqual([]);
  });

  it(
    'has nothing left in it after a cancel, nor after the engine was killed and another one has started',
    { timeout: 120_000 },
    async () => {
      const storageDir = temporaryFolder('storage');
      engine = await start(place.url, storageDir);
      const long = engine.measure({ kind: 'run', ...request, durationS: 60, generator });
      const isUnderWay = (): boolean => cluster.objects.some((name) => name.startsWith('testruns'));
      await waitFor(isUnderWay, { timeoutMs: 60_000, what: 'a test in the cluster' });
      await engine.request('run/cancel', {});
      expect((await long).outcome).toBe('cancelled');
      expect(cluster.objects).toEqual([]);

      const cut = engine.measure({ kind: 'run', ...request, durationS: 60, generator }).catch(() => undefined);
      await waitFor(isUnderWay, { timeoutMs: 60_000, what: 'a second test in the cluster' });
      // Pods are none of the engine’s processes, though a kubectl may just be starting one.
      const processes = engine.processes().filter(({ pid }) => !commandLine(pid).includes('k6 run'));
      process.kill(engine.client.pid, 'SIGKILL');
      await untilGone(processes, 10_000);
      await cut;
      await engine.dispose();
      expect(isUnderWay()).toBe(true);
      engine = await start(place.url, storageDir);
      await waitFor(() => cluster.objects.length === 0, { timeoutMs: 30_000, what: 'an empty cluster' });
      const journals = path.join(storageDir, 'journals');
      await waitFor(() => existsSync(journals) && readdirSync(journals).length === 1, { timeoutMs: 10_000, what: 'a journal that went' });
    },
  );
});
