import { isOf } from '../../../model/domain/findings.ts';
import { advice } from '../actions.ts';
import { anyOf, atLeast, below, share } from '../checks.ts';
import type { Rule } from '../rule.ts';
import { appCpuShare, proxyCores, proxyShare } from '../cpuUse.ts';
import type { Signals } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { cpuAtLeast, cpuBelow, cpuIdle, ofApp, ofProxy } from './guards.ts';

/** Descriptors that were inherited beyond the limit are open, too: none of those that it may have is free then. */
function openFiles({ descriptors: of }: Signals): number | null {
  return of === null ? null : Math.min(of.open, of.limit);
}

/**
 * The process may open no more files and sockets. Connections that the app cannot accept are never answered, which looks as though the load generator did not
 * use them. Comes before what discards a measurement, which it explains.
 */
export const descriptors: Rule = {
  kind: 'descriptors',
  surely: true,
  applies: (s) => s.descriptors !== null && s.discardReasons.every((reason) => isOf(reason, 'generator-idle')),
  checks: (s) => [
    atLeast(
      'must',
      { code: 'open-files', part: openFiles(s), whole: s.descriptors?.limit ?? null },
      share(s.descriptors?.open, s.descriptors?.limit),
      thresholds.descriptors,
    ),
    atLeast('sign', { code: 'refused' }, s.errors.refused + s.errors.reset, { limit: 1, unit: 'count', source: 'any' }),
  ],
  explain: (s) => ({
    said: { code: 'descriptors', open: openFiles(s), limit: s.descriptors?.limit ?? 0 },
    why: [{ code: 'descriptors-why', refused: s.errors.refused + s.errors.reset }],
    actions: [advice({ code: 'more-descriptors' })],
  }),
};

/** Requests that the app works at: those its HTTP servers know of, or its busy threads. */
function inApp(s: Signals): number | null {
  return s.inFlight ?? s.threads?.busy ?? null;
}

/**
 * The proxy’s workers are full, or most requests are still before the app while it is idle. On a machine that is full that shows nothing of the
 * proxy: the requests may as well be with the load generator.
 */
export const proxy: Rule = {
  kind: 'proxy',
  applies: (s) => s.proxy !== null,
  checks: (s) => {
    const idle = cpuBelow('must', ofApp(s), thresholds.behindProxyCpu);
    const full = cpuAtLeast('must', ofProxy(s), thresholds.proxyWorker);
    const arrived = inApp(s);
    const ofAll = { code: 'arrived', part: arrived, whole: s.connections } as const;
    const outside = below('must', ofAll, share(arrived, s.connections), thresholds.reachesApp);
    return full.met ? [full, { ...outside, role: 'sign' }, { ...idle, role: 'sign' }] : [...anyOf(full, outside), idle, cpuIdle(s)];
  },
  explain: (s) => {
    const workers = s.proxy?.workers ?? 1;
    const appShare = appCpuShare(s);
    const isFull = (proxyShare(s) ?? 0) >= thresholds.proxyWorker.limit;
    const isLimited = proxyCores(s) < workers;
    return {
      said: isFull
        ? { code: 'proxy-full', workers, usedShare: proxyShare(s), cores: isLimited ? proxyCores(s) : null, appShare }
        : { code: 'proxy-holds', requests: s.connections, arrived: inApp(s) ?? 0, appShare },
      why: [{ code: 'proxy-why', instances: s.instances }],
      actions: [advice(isFull ? { code: 'larger-proxy', lacks: isLimited ? 'CPU' : 'workers' } : { code: 'proxy-limits' })],
    };
  },
};
