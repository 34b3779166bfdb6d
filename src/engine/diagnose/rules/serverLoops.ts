import { advice, record } from '../actions.ts';
import { atLeast, plain } from '../checks.ts';
import { loopsCompute } from '../requestTime.ts';
import type { Rule } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { cpuIdle, noQueueAtPool } from './guards.ts';

/** An event loop of a JVM’s server is at work all the time: it computes, or calls block it. */
export const serverLoops: Rule = {
  kind: 'event-loop',
  byWaits: (s) => !loopsCompute(s),
  applies: (s) => s.serverLoops !== null,
  checks: (s) => [
    atLeast('must', { code: 'busiest-loop' }, s.serverLoops?.busiest ?? null, thresholds.serverLoop),
    noQueueAtPool(s),
    cpuIdle(s),
    plain({ code: 'one-core', each: false }, s.appCpuPercent, 'percent'),
  ],
  explain: (s) => {
    const { name = '', count = 0 } = s.serverLoops ?? {};
    const computes = loopsCompute(s);
    return {
      said: { code: 'server-loops-full', name, loops: count, computes },
      why: [{ code: 'server-loops-full-why', cpuPercent: s.appCpuPercent, computes }],
      actions: computes
        ? [record('cpu', { code: 'what-takes-time' }), advice({ code: 'off-the-loops' })]
        : [advice({ code: 'no-blocking-calls' }), record('wall', { code: 'what-blocks-loops' })],
    };
  },
};
