import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryDir } from '../../support/engine.ts';

interface DeclaredSample {
  id: string;
  cwd: string;
  env?: Record<string, string>;
  routes: { method?: string; path: string; [key: string]: unknown }[];
  settings: Record<string, unknown>;
  postgres: { sql: string[]; prepare: string; [key: string]: unknown };
  [key: string]: unknown;
}

/** The samples as they are declared, one for each document store, with the routes that the plantings ask for. */
export function plantedTargets(stores: ReadonlyMap<number, string>, routes: readonly string[]): Record<string, unknown>[] {
  const samples = path.join(repositoryDir, 'samples');
  const declared = JSON.parse(readFileSync(path.join(samples, 'benchside.json'), 'utf8')) as { targets: DeclaredSample[] };
  const absolute = (file: string): string => path.join(samples, file);
  const more = (sample: DeclaredSample): DeclaredSample['routes'] =>
    routes
      .map((route) => route.split(' ') as [string, string])
      .filter(([method, where]) => !sample.routes.some((one) => (one.method ?? 'GET') === method && one.path === where))
      .map(([method, where]) => ({ method, path: where, weight: 0 }));
  return declared.targets
    .filter(({ id }) => id === 'node' || id === 'java')
    .flatMap((sample) =>
      [0, ...stores.keys()].map((delayMs) => {
        const store = stores.get(delayMs);
        return {
          ...sample,
          id: targetId(sample.id, delayMs),
          cwd: absolute(sample.cwd),
          env: { ...sample.env, ...(store === undefined ? {} : { DOCUMENT_STORE_URL: store }) },
          routes: [...sample.routes, ...more(sample)],
          postgres: {
            ...sample.postgres,
            database: 'planted',
            sql: sample.postgres.sql.map(absolute).filter((file) => existsSync(file)),
            prepare: absolute(sample.postgres.prepare),
          },
        };
      }),
    );
}

/** Which of them has a store that takes so long; 0: none. */
export function targetId(sample: string, storeDelayMs: number): string {
  return storeDelayMs === 0 ? `${sample}-planted` : `${sample}-store-${storeDelayMs}`;
}
