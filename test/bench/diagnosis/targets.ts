import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryDir } from '../../support/engine.ts';
import type { Planting } from './plantings.ts';

interface DeclaredSample {
  id: string;
  command: string[];
  cwd: string;
  env?: Record<string, string>;
  routes: { method?: string; path: string; [key: string]: unknown }[];
  settings: Record<string, unknown>;
  postgres: { sql: string[]; prepare: string[]; [key: string]: unknown };
  [key: string]: unknown;
}

/** The lab's targets as they are declared, in each form that the plantings ask for, with their routes. `stores` are the document stores by their delay. */
export function plantedTargets(plantings: readonly Planting[], stores: ReadonlyMap<number, string>): Record<string, unknown>[] {
  const lab = path.join(repositoryDir, 'samples', 'lab');
  const declared = JSON.parse(readFileSync(path.join(lab, 'benchside.json'), 'utf8')) as { targets: DeclaredSample[] };
  const absolute = (file: string): string => path.join(lab, file);
  const forms = new Map(plantings.map((planting) => [targetId(planting), planting]));
  return [...forms].flatMap(([id, { target, storeDelayMs, descriptors, unprobed, env }]) => {
    const sample = declared.targets.find((one) => one.id === `lab-${target}`);
    if (sample === undefined) throw new Error(`there is no target “lab-${target}”`);
    const store = storeDelayMs === undefined ? undefined : stores.get(storeDelayMs);
    const routes = [...new Set(plantings.filter((planting) => targetId(planting) === id).map(({ route }) => route))]
      .map((route) => route.split(' ') as [string, string])
      .filter(([method, where]) => !sample.routes.some((one) => (one.method ?? 'GET') === method && one.path === where))
      .map(([method, where]) => ({ method, path: where, weight: 0 }));
    return {
      ...sample,
      ...(unprobed === true ? { runtime: 'other' } : {}),
      id,
      command: descriptors === undefined ? sample.command : withFewDescriptors(sample.command, descriptors),
      cwd: absolute(sample.cwd),
      env: { ...sample.env, ...env, ...(store === undefined ? {} : { DOCUMENT_STORE_URL: store }) },
      routes: [...sample.routes, ...routes],
      postgres: {
        ...sample.postgres,
        database: 'planted',
        sql: sample.postgres.sql.map(absolute).filter((file) => existsSync(file)),
        prepare: sample.postgres.prepare.map(absolute),
      },
    };
  });
}

/** The shell takes the limit for itself and becomes the app. */
function withFewDescriptors(command: readonly string[], descriptors: number): string[] {
  const [program = '', ...rest] = command;
  return ['sh', '-c', `ulimit -n ${descriptors} && exec "$0" "$@"`, program === 'node' ? process.execPath : program, ...rest];
}

/** In which form a planting wants its sample. */
export function targetId({ target, storeDelayMs, descriptors, unprobed, env }: Planting): string {
  return [
    target,
    ...(storeDelayMs === undefined ? ['planted'] : ['store', storeDelayMs]),
    ...(descriptors === undefined ? [] : ['files', descriptors]),
    ...(unprobed === true ? ['unprobed'] : []),
    // An id is of lower-case letters and dashes, and no longer than 40 of them.
    ...Object.keys(env ?? {}).map((name) => name.toLowerCase().replaceAll('_', '-')),
  ].join('-');
}
