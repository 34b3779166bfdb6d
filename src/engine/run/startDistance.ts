import path from 'node:path';
import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import { type DistanceCost, DatabaseDistance } from '../services/distance/databaseDistance.ts';
import type { DatabaseAddress } from '../services/serverUrl.ts';
import { rttAsked } from '../variants/varied.ts';
import type { PlannedProcess } from './plan.ts';
import { type RunContext, nodeEnvironment } from './runContext.ts';

type Context = Pick<RunContext, 'supervisor' | 'toolchain' | 'cookieEnvironment' | 'assetsDir' | 'signal'>;

/** The distance between a process with its siblings and PostgreSQL; null where none is asked for. */
export async function startDistance(
  { declared, asked, name }: Pick<PlannedProcess, 'declared' | 'asked' | 'name'>,
  server: DatabaseAddress | null,
  context: Context,
): Promise<DatabaseDistance | null> {
  const rttMs = rttAsked(declared, asked);
  if (rttMs === undefined || server === null) return null;
  return DatabaseDistance.start(context.supervisor, {
    rttMs,
    server,
    name,
    nodePath: context.toolchain.node,
    program: path.join(context.assetsDir, 'dist', 'distanceProxy.cjs'),
    env: nodeEnvironment(context),
    signal: context.signal,
  });
}

/** What the proxies of a side cost, over all its starts; none where they were never used. */
export function distanceNote(side: string, costs: readonly DistanceCost[]): RunNote[] {
  const messages = costs.reduce((sum, one) => sum + one.messages, 0);
  if (messages === 0) return [];
  const weighted = (of: (cost: DistanceCost) => number): number => costs.reduce((sum, one) => sum + of(one) * one.messages, 0) / messages;
  return [
    {
      code: 'distance-cost',
      side,
      rttMs: costs[0]?.rttMs ?? 0,
      beyondMs: weighted(({ addedMs, rttMs }) => addedMs - rttMs),
      cpuUsPerMessage: weighted(({ cpuUs, messages: passed }) => cpuUs / Math.max(1, passed)),
      messages,
      lateP99Us: costs[0]?.rttMs === 0 ? null : weighted(({ lateUs }) => lateUs?.p99 ?? 0),
    },
  ];
}
