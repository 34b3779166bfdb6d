import { isOf } from '../../../model/domain/findings.ts';
import { wholeNumber } from '../../../model/domain/format.ts';
import { advice } from '../actions.ts';
import { anyOf, atLeast, below, share } from '../checks.ts';
import type { Rule } from '../rule.ts';
import { appCpuShare, proxyCores, proxyShare } from '../cpuUse.ts';
import type { Signals } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { figureOf, mean, ofCores, percentOf } from '../words.ts';
import { cpuIdle } from './guards.ts';

/** Descriptors that were inherited beyond the limit are open, too: none of those that it may have is free then. */
function openFiles(s: Signals): string {
  return s.descriptors === null ? 'all' : wholeNumber(Math.min(s.descriptors.open, s.descriptors.limit));
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
    atLeast('must', 'open file descriptors', share(s.descriptors?.open, s.descriptors?.limit), thresholds.descriptors, {
      unit: 'share',
      text: s.descriptors === null ? null : `${openFiles(s)} of ${wholeNumber(s.descriptors.limit)}`,
    }),
    atLeast('sign', 'connections refused or cut off', s.errors.refused + s.errors.reset, { limit: 1, source: 'any' }, { unit: 'count' }),
  ],
  explain: (s) => ({
    headline: `The app may open no more files: ${openFiles(s)} of ${wholeNumber(s.descriptors?.limit ?? 0)} descriptors were in use.`,
    explanation: `Every connection of a client, of the pool and every open file takes one. At the limit new connections are refused or left waiting${s.errors.refused + s.errors.reset > 0 ? `, as ${wholeNumber(s.errors.refused + s.errors.reset)} were here` : ''}.`,
    actions: [advice('Raise the limit of open files (ulimit -n) for the app, or look for descriptors that are never closed')],
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
    const idle = below('must', 'CPU of the app', appCpuShare(s), thresholds.behindProxyCpu, {
      unit: 'share',
      text: ofCores(appCpuShare(s), s.appCores),
    });
    const full = atLeast('must', 'CPU of the proxy’s workers, of the cores that they may use', proxyShare(s), thresholds.proxyWorker, {
      unit: 'share',
      text: ofCores(proxyShare(s), proxyCores(s)),
    });
    const arrived = inApp(s);
    const reach = share(arrived, s.connections);
    const outside = below('must', 'requests that had reached the app', reach, thresholds.reachesApp, {
      unit: 'share',
      text: arrived === null ? null : `${mean(arrived)} of ${s.connections}`,
    });
    const room = cpuIdle(s);
    return full.met ? [full, { ...outside, role: 'sign' }, { ...idle, role: 'sign' }] : [...anyOf(full, outside), idle, room];
  },
  explain: (s) => {
    const count = s.proxy?.workers ?? 1;
    const isFull = (proxyShare(s) ?? 0) >= thresholds.proxyWorker.limit;
    const isLimited = proxyCores(s) < count;
    return {
      headline: isFull
        ? `The proxy is the limit: its ${count} ${count === 1 ? 'worker' : 'workers'} used ${isLimited ? (ofCores(proxyShare(s), proxyCores(s)) ?? 'what they may use') : `${percentOf(proxyShare(s))} of a core each`}, and the app ${percentOf(appCpuShare(s))} of its CPU.`
        : `The proxy is the limit: of ${s.connections} requests only ${mean(inApp(s) ?? 0)} had reached the app, which used ${percentOf(appCpuShare(s))} of its CPU.`,
      explanation: `What stands in front of the ${figureOf(s.instances)} ${s.instances === 1 ? 'instance' : 'instances'} lets no more through; another instance behind it would change nothing.`,
      actions: [
        advice(
          isFull
            ? `Give the proxy more ${isLimited ? 'CPU' : 'workers'}, keep its connections to the instances open, or let it do less (TLS, compression)`
            : 'Look at the proxy’s limits: connections, queues and keep-alive to the instances',
        ),
      ],
    };
  },
};
