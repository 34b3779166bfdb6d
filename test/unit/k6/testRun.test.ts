import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { type ClusterPlan, planResults, planTestRun, readme, roundsScript, valueScript } from '../../../src/engine/cluster/rounds.ts';
import { requireCluster } from '../../../src/engine/k6/kubectl.ts';
import { ownLabels, resultsYaml, scriptYaml, testRunYaml } from '../../../src/engine/k6/testRun.ts';
import { loadProfileSchema } from '../../../src/model/domain/loadProfile.ts';
import { settingSpecsSchema } from '../../../src/model/domain/setting.ts';

const plan: ClusterPlan = {
  id: 'abcd1234',
  title: 'Shop',
  url: 'http://shop:8080',
  settleS: 1,
  durationS: 3,
  load: loadProfileSchema.parse({ name: 'x', connections: 4 }),
  target: {
    id: 'shop',
    label: "Bob's $(shop)\nrm -rf /",
    runtime: 'jvm',
    settings: settingSpecsSchema.parse({
      pool: { default: 4, env: 'DB_POOL' },
      gc: { kind: 'choice', choices: ["a'; reboot", 'b'], default: 'b', env: 'GC' },
      heap: { default: 64, arguments: ['-Xmx{value}m'] },
      workers: { default: 4, live: 'threads' },
    }),
  },
  trials: [
    { key: 'a', name: 'pool 2', connections: 4, instances: 1, settings: {}, asked: { pool: 2, gc: "a'; reboot" } },
    { key: 'b', name: 'pool 4', connections: 4, instances: 3, settings: {}, asked: { pool: 4, instances: 3 } },
    { key: 'c', name: 'heap 1', connections: 4, instances: 1, settings: {}, asked: { heap: 128, workers: 8 } },
  ],
  tests: [
    { round: 1, trial: 1, seed: 1 },
    { round: 1, trial: 0, seed: 1 },
  ],
};

interface Made {
  kind: string;
  metadata: { labels: object };
  spec?: { accessModes?: string[] };
  data?: object;
}

/** Fields of `TestRunSpec` and of `Pod` in the operator’s api/v1alpha1/testrun_types.go, and those of Kubernetes that are used in them. */
const known = {
  TestRun: ['apiVersion', 'kind', 'metadata', 'spec'],
  metadata: ['name', 'labels'],
  spec: [
    'script',
    'parallelism',
    'separate',
    'arguments',
    'ports',
    'initializer',
    'starter',
    'runner',
    'quiet',
    'paused',
    'scuttle',
    'cleanup',
    'cloud',
  ],
  script: ['volumeClaim', 'configMap', 'localFile'],
  configMap: ['name', 'file'],
  runner: [
    'affinity',
    'automountServiceAccountToken',
    'env',
    'image',
    'imagePullSecrets',
    'imagePullPolicy',
    'metadata',
    'nodeSelector',
    'tolerations',
    'topologySpreadConstraints',
    'resources',
    'serviceAccountName',
    'securityContext',
    'containerSecurityContext',
    'envFrom',
    'readinessProbe',
    'livenessProbe',
    'initContainers',
    'volumes',
    'volumeMounts',
    'priorityClassName',
    'schedulerName',
  ],
};

describe('the manifest for the k6 operator', () => {
  const manifest = parse(planTestRun(plan, { test: 1, parallelism: 4 })) as {
    apiVersion: string;
    kind: string;
    metadata: { name: string };
    spec: {
      parallelism: number;
      script: { configMap: object };
      runner: {
        env: { name: string; value?: unknown; valueFrom?: unknown }[];
        volumes: { name: string; persistentVolumeClaim: { claimName: string } }[];
        volumeMounts: object[];
      };
    };
  };

  it('has the fields of the operator’s schema and no others', () => {
    const { spec } = manifest;
    for (const [one, fields] of [
      [manifest, known.TestRun],
      [manifest.metadata, known.metadata],
      [spec, known.spec],
      [spec.script, known.script],
      [spec.script.configMap, known.configMap],
      [spec.runner, known.runner],
    ] as const)
      expect(Object.keys(one).filter((name) => !fields.includes(name))).toEqual([]);
    expect([manifest.apiVersion, manifest.kind, spec.parallelism]).toEqual(['k6.io/v1alpha1', 'TestRun', 4]);
    // Values of a container's environment are strings.
    expect(spec.runner.env.every(({ value, valueFrom }) => typeof value === 'string' || valueFrom !== undefined)).toBe(true);
  });

  it('lets each runner write a file of its own into the volume that outlives it', () => {
    const { env, volumes, volumeMounts } = manifest.spec.runner;
    const names = env.map(({ name }) => name);
    const output = env.find(({ name }) => name === 'K6_OUT');
    expect(output?.value).toBe('csv=/results/$(BENCHSIDE_TEST)-$(POD_NAME).csv.gz');
    // Kubernetes fills in what was declared before.
    for (const name of ['BENCHSIDE_TEST', 'POD_NAME']) expect(names.indexOf(name)).toBeLessThan(names.indexOf('K6_OUT'));
    expect(env).toContainEqual({ name: 'K6_CSV_TIME_FORMAT', value: 'unix_micro' });
    expect(env).toContainEqual({ name: 'BENCHSIDE_TEST', value: '1' });
    expect(volumeMounts).toEqual([{ name: 'results', mountPath: '/results' }]);
    const [claim, pod] = parseAllDocuments(planResults(plan)).map(
      (document) => document.toJS() as { kind: string; metadata: { name: string } },
    );
    expect([claim?.kind, pod?.kind]).toEqual(['PersistentVolumeClaim', 'Pod']);
    expect(volumes[0]?.persistentVolumeClaim.claimName).toBe(claim?.metadata.name);
  });
});

describe('what a block is made of in a cluster', () => {
  const labels = { ...ownLabels, 'benchside/run': 'abc' };

  it('has the label by which everything of a run is removed, and files that end by themselves', () => {
    const test = testRunYaml({ name: 't', claim: 'c', labels, parallelism: 2, variables: { A: '1' }, file: 't-$(POD_NAME).csv.gz' });
    const script = scriptYaml({ name: 't', labels, script: 'export default 1;\n', plan: '{}' });
    const results = resultsYaml({ name: 'c', labels, accessMode: 'ReadWriteMany', lifeS: 60 });
    const made = [test, script, ...results.split('---\n')].map((text) => parse(text) as Made);
    expect(made.map(({ kind }) => kind)).toEqual(['TestRun', 'ConfigMap', 'PersistentVolumeClaim', 'Pod']);
    for (const { metadata } of made) expect(metadata.labels).toEqual(labels);
    expect(made[1]?.data).toEqual({ 'script.js': 'export default 1;\n', 'plan.json': '{}' });
    expect(made[2]?.spec?.accessModes).toEqual(['ReadWriteMany']);
    expect(made[3]?.spec).toMatchObject({ activeDeadlineSeconds: 60, restartPolicy: 'Never' });
  });

  it('is only where all of it was named', () => {
    const named = { path: null, context: 'staging', namespace: 'load', url: 'http://10.0.0.1:{port}' };
    expect(requireCluster(named)).toEqual({ context: 'staging', namespace: 'load', url: 'http://10.0.0.1:{port}' });
    for (const [changes, sentence] of [
      [{ context: null }, /a context \(--k6-context\) was not named/],
      [{ namespace: null, url: null }, /a namespace .* and the address .* was not named/],
      [{ namespace: 'Load;x' }, /The namespace cannot be used/],
      [{ url: 'http://10.0.0.1/path' }, /The url cannot be used/],
    ] as const)
      expect(() => requireCluster({ ...named, ...changes })).toThrow(sentence);
  });
});

describe('the scripts of the rounds', () => {
  it('run every test in the order of the plan, and bring each value about before it', () => {
    const lines = roundsScript(plan).split('\n');
    expect(lines.filter((line) => /^run \d/.test(line))).toEqual(['run 0 1 # round 1: pool 4', 'run 1 0 # round 1: pool 2']);
    const value = valueScript(plan);
    expect(value).toContain(`set env "deployment/$DEPLOYMENT" 'DB_POOL=4'`);
    expect(value).toContain('--replicas=3');
    expect(value).toContain('set by the argument -Xmx128m: change value.sh');
    expect(value).toContain('set by the code of the service (workers 8): change value.sh');
  });

  it('hand on names and values as words, whatever is in them', () => {
    expect(valueScript(plan)).toContain(`'GC=a'\\''; reboot'`);
    for (const script of [valueScript(plan), roundsScript(plan)]) {
      expect(script).not.toMatch(/^\s*rm /m);
      expect(script).not.toContain('$(shop)');
    }
  });
});

it('says in its README what names say, nothing that they would make of it, and what is left out', () => {
  const text = readme(
    { ...plan, title: 'Shop <img src=x>\n# @everyone [a](javascript:b)' },
    { parallelism: 1, notes: ['mode', 'recording'] },
  );
  expect(text).toMatch(/^# Shop \\<img src=x\\> # @\u2060everyone \\\[a\\\]\(javascript:b\)\n/);
  expect(text).toContain(
    '\nNot part of it:\n\n- The cluster also activates each setting: value.sh.\n- Nothing is recorded: profilers are attached on one machine only.\n',
  );
});
