import type { SlicePlan } from '../../src/engine/load/loadPlans.ts';
import { fetchRoot } from './loadBench.ts';

/** Of each entrance. */
export const sliceConnections = 4;
export const mirrored = [0, 1, 1, 0, 0, 1, 1, 0];

/** Slices of servers on these ports, each a side of its own. */
export function slicePlan(
  ports: readonly number[],
  changes: Partial<SlicePlan> = {},
  side: Partial<SlicePlan['sides'][number]> = {},
): SlicePlan {
  return {
    entrances: ports.map((port) => ({
      host: '127.0.0.1',
      port,
      morePorts: [],
      connections: sliceConnections,
      tls: false,
      keepAlive: true,
      mix: [fetchRoot],
    })),
    sides: ports.map((_, entrance) => ({ entrance, appPids: [], otherPids: [], toolPids: [], sliceMs: 100, edgeMs: 10, ...side })),
    order: mirrored,
    turned: false,
    databasePid: null,
    timeoutMs: 5000,
    tickMs: 500,
    seed: 1,
    ...changes,
  };
}
