import type { Surroundings } from '../../../src/model/domain/prediction/predict.ts';

/** One run, and what is predicted from one of its sides for the others. */
export interface Cell {
  id: string;
  kind: 'rtt' | 'instances' | 'cores';
  target: 'node' | 'java';
  /** Options of `run`. */
  args: readonly string[];
  /** Part of the key of the trials that are predicted from, and of each that is predicted, with what is other there. */
  pairs: readonly { from: string; to: string; changes: Partial<Surroundings> }[];
}

const clients = 16;
const routes = ['/ads/:id', '/ads/:id/similar', '/wait?ms=5', '/ads?category=:category&limit=20'] as const;
const pools = [2, 8] as const;
const targets = ['node', 'java'] as const;
const rtts = [
  [0.5, '0.5ms'],
  [2, '2ms'],
] as const;

function cell(kind: Cell['kind'], target: Cell['target'], route: string, own: Pick<Cell, 'args' | 'pairs'>): Cell {
  const load = ['--connections', `1,${clients}`, '--duration', '1.5', '--rounds', '4'];
  return {
    id: `${kind} ${target} ${route}`,
    kind,
    target,
    args: ['--target', target, '--route', route, ...own.args, ...load],
    pairs: own.pairs,
  };
}

/** Each route of both samples: distances with two pools, two instances, and a second core. */
export const cells: readonly Cell[] = [
  ...routes.flatMap((route) =>
    targets.map((target) =>
      cell('rtt', target, route, {
        args: ['--set', `pool=${pools.join(',')}`, '--vary', 'rtt=0,0.5ms,2ms'],
        pairs: pools.flatMap((pool) =>
          rtts.map(([rttMs, key]) => ({ from: `pool=${pool}|rtt=0ms`, to: `pool=${pool}|rtt=${key}`, changes: { rttMs } })),
        ),
      }),
    ),
  ),
  ...routes.slice(0, 3).flatMap((route) =>
    targets.map((target) =>
      cell('instances', target, route, {
        args: ['--set', 'pool=2,8', '--set', 'instances=1,2'],
        pairs: pools.map((pool) => ({ from: `pool=${pool}|instances=1`, to: `pool=${pool}|instances=2`, changes: { instances: 2 } })),
      }),
    ),
  ),
  ...routes.slice(0, 2).flatMap((route) =>
    targets.map((target) =>
      cell('cores', target, route, {
        args: ['--set', 'pool=8', '--vary', 'cores=1,2'],
        pairs: [{ from: 'cores=1', to: 'cores=2', changes: { appCores: 2 } }],
      }),
    ),
  ),
];
