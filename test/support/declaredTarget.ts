import type { z } from 'zod';
import { targetSchema } from '../../src/model/domain/target.ts';
import type { DeclaredTarget } from '../../src/engine/targets/catalog.ts';

/** A target as a workspace might declare it, with a pool of 4 unless `more` says otherwise. */
export function declared(id: string, more: Partial<z.input<typeof targetSchema>> = {}): DeclaredTarget {
  const target = targetSchema.parse({
    id,
    command: ['node', 'server.js'],
    routes: [{ path: '/' }],
    settings: { pool: { default: 4, min: 1, max: 256, env: 'POOL' } },
    ...more,
  });
  return { target, origin: 'workspace', baseDir: '/srv' };
}
