import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ParamsInput } from '../../../src/model/protocol/protocol.ts';
import { repositoryDir, writeWorkspaceFile } from '../../support/engine.ts';
import type { Act } from './clientTalk.ts';

/** What runs while a fault is injected: each of the four ways of measuring. */
export const activities = ['run', 'tune', 'experiment', 'live'] as const;
export type Activity = (typeof activities)[number];

const load = {
  name: 'brief',
  connections: 4,
  durationS: 0.5,
  settleS: 0.1,
  rounds: 1,
  warmUp: { minS: 0, maxS: 1, jvmMaxS: 1 },
  timeoutMs: 700,
};

const shortest = { ...load, name: 'shortest', connections: 2, durationS: 0.5, settleS: 0 };

type ActivityRequest =
  | { name: 'measure/start'; params: ParamsInput<'measure/start'> }
  | { name: 'live/start'; params: ParamsInput<'live/start'> };

/** The shortest of each kind: their figures are of no worth. */
export function activityRequest({ activity, target, record, isShort }: Act): ActivityRequest {
  const settings = { pool: [2, 4] };
  switch (activity) {
    case 'run':
      return {
        name: 'measure/start',
        params: {
          request: {
            kind: 'run',
            targets: [target],
            load: isShort ? 'shortest' : 'brief',
            rounds: 1,
            ...(target === 'pooled' && !isShort ? { settings } : {}),
            ...(record ? { record: { events: ['cpu'], seconds: 1 } } : {}),
          },
        },
      };
    case 'tune':
      return {
        name: 'measure/start',
        params: { request: { kind: 'tune', targets: [target], settings, load: 'brief', blockS: 0.5, budgetS: 11 } },
      };
    case 'experiment':
      return { name: 'measure/start', params: { request: { kind: 'experiment', id: 'X1', form: 'short' } } };
    case 'live':
      return { name: 'live/start', params: { target, settings: { pool: 4 }, load: 'brief', maxS: 20 } };
  }
}

/** A study of two variants, one of them two instances behind nginx. */
const experiment = {
  id: 'X1',
  title: 'Alone and behind nginx',
  asks: 'Whether anything stays.',
  source: 'the bench of faults',
  needs: ['nginx', 'postgres'],
  variants: [
    { name: 'alone', label: 'Alone', target: 'pooled', settings: { pool: 2 }, route: 'GET /query' },
    {
      name: 'two',
      label: '2 instances behind nginx',
      target: 'pooled',
      settings: { pool: 2 },
      topology: { instances: 2, proxy: { balance: 'least-conn', maxFails: 1, failTimeoutS: 5 } },
      route: 'GET /query',
    },
  ],
  short: { kind: 'ladder', levels: [2, 4], rounds: 1, blockS: 0.5, settleS: 0.1 },
  full: { kind: 'ladder', levels: [2, 4], rounds: 1, blockS: 0.5, settleS: 0.1 },
  published: [{ caption: 'None', columns: ['a'], rows: [['b']] }],
  shape: [{ rule: 'value', figure: 'throughput', variant: 'alone', min: 0, because: 'it is no publication' }],
  notToday: 'It is no publication.',
};

/** Writes the targets and the study of the bench into a workspace. `triggerFile`: where the JVM waits for its sign; `leaves`: how names of temporary folders of the apps begin. */
export function writeWorkspace(workspaceDir: string, places: { javaClasses: string; triggerFile: string; leaves: string }): void {
  const apps = path.join(repositoryDir, 'test', 'bench', 'faults', 'apps');
  const node = (id: string, env: Record<string, string>, more: Record<string, unknown> = {}): Record<string, unknown> => ({
    id,
    runtime: 'node',
    command: ['node', path.join(apps, 'pooled.cjs')],
    env: { ...env, LEAVES: places.leaves },
    ready: { path: '/', timeoutMs: 60_000 },
    routes: [{ path: '/query' }],
    settings: { pool: { min: 1, max: 64, default: 4, env: 'POOL', live: 'pool' } },
    stopGraceMs: 800,
    ...more,
  });
  const postgres = { postgres: { env: { url: 'DATABASE_URL' }, database: 'faults' } };
  writeWorkspaceFile(workspaceDir, {
    loadProfiles: [load, shortest],
    targets: [
      node('pooled', {}, postgres),
      node('plain', {}),
      node('blocked', { MISBEHAVE: 'block' }),
      node('wordy', { MISBEHAVE: 'line' }),
      node('ipv6', { HOST: '::1' }, { ready: { path: '/', timeoutMs: 4_000 } }),
      {
        ...node('hungry', { TRIGGER: places.triggerFile }),
        runtime: 'jvm',
        command: ['java', '-Xmx32m', '-XX:TieredStopAtLevel=1', '-cp', places.javaClasses, 'Hungry'],
      },
    ],
  });
  const folder = path.join(workspaceDir, 'profiles', 'experiments', 'published');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'x1.json'), JSON.stringify(experiment));
}
