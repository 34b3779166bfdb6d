import type { BouncerUse, DistanceUse, ProxyUse } from '../../model/domain/topologyUse.ts';
import type { BouncerWindow } from '../services/bouncer/bouncerMeter.ts';
import { type DistanceWindow, addedWindows } from '../services/distance/databaseDistance.ts';
import { mean } from '../statistics/moments.ts';

/** What was seen around the app in one block; absent or null without it. */
export interface AroundBlock {
  /** What the proxy before the app used. */
  proxy?: { cpuUs: number | null; workers: number; cores: number } | null;
  /** What was seen of the PgBouncer before its database. */
  bouncer?: BouncerWindow | null;
  /** What the proxy that delays what goes to its database passed on. */
  distance?: DistanceWindow | null;
}

type Counted = readonly { seen: AroundBlock & { result: { windowMs: number } } }[];

/** What the proxy before the app used while it was measured; null without one. */
export function proxyUse(counted: Counted): ProxyUse | null {
  const proxies = counted.flatMap(({ seen }) => (seen.proxy == null ? [] : [{ ...seen.proxy, windowMs: seen.result.windowMs }]));
  const [proxy] = proxies;
  if (proxy === undefined) return null;
  const percents = proxies.flatMap(({ cpuUs, windowMs }) => (cpuUs === null ? [] : [cpuUs / windowMs / 10]));
  return { cpuPercent: percents.length === 0 ? null : mean(percents), workers: proxy.workers, cores: proxy.cores };
}

/** How long a round trip to its database lasted; null without a distance, or where nothing went over it. */
export function distanceUse(counted: Counted): DistanceUse | null {
  const all = addedWindows(counted.flatMap(({ seen }) => seen.distance ?? []));
  return all === null || all.messages === 0 ? null : { rttMs: all.rttMs, lastedMs: all.rttMs + (2 * all.lateUs) / all.messages / 1000 };
}

/** What the PgBouncer before its database did while it was measured; null without one. Waits are those of a request, by Little’s law. */
export function bouncerUse(counted: Counted, requests: number): BouncerUse | null {
  const windows = counted.flatMap(({ seen }) => (seen.bouncer == null ? [] : [{ ...seen.bouncer, windowMs: seen.result.windowMs }]));
  const last = windows.at(-1);
  if (last === undefined) return null;
  const over = (of: (window: (typeof windows)[number]) => number | null): number | null => {
    const known = windows.flatMap((window) => of(window) ?? []);
    return known.length === 0 ? null : mean(known);
  };
  const windowMs = windows.reduce((sum, window) => sum + window.windowMs, 0);
  const waiting = over((window) => window.waiting);
  const transactions = windows.every((window) => window.transactions !== null)
    ? windows.reduce((sum, window) => sum + (window.transactions ?? 0), 0)
    : null;
  return {
    version: last.version,
    mode: last.mode,
    poolSize: last.poolSize,
    busy: over((window) => window.busy),
    waiting,
    waitMs: waiting === null || requests === 0 ? null : (waiting * windowMs) / requests,
    clients: over((window) => window.clients),
    transactionsPerRequest: transactions === null || requests === 0 ? null : transactions / requests,
    cpuPercent: over((window) => (window.cpuUs === null ? null : window.cpuUs / window.windowMs / 10)),
  };
}
