import type { PoolReport } from '../../model/domain/probe.ts';
import { type GroupReport, isOfDatabase } from '../probe/groupReport.ts';

/** The pools of a service. Where each of its processes has one, as workers have, and all are alike, they are one, which may be changed in all of them. */
export function likePools(report: Pick<GroupReport, 'byProcess'>): PoolReport[] {
  const byProcess = [...report.byProcess.values()].map(({ pools }) => pools.filter(isOfDatabase)).filter((pools) => pools.length > 0);
  const all = byProcess.flat();
  const [first] = all;
  const isLike = ({ kind, name, max, resizable }: PoolReport): boolean =>
    kind === first?.kind && name === first.name && max === first.max && resizable === first.resizable;
  if (first === undefined || byProcess.some(({ length }) => length > 1) || !all.every(isLike)) return all;
  return [{ ...first, total: all.reduce((sum, { total }) => sum + total, 0) }];
}
