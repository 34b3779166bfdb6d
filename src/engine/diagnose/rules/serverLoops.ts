import { advice, record } from '../actions.ts';
import { partAtLeast, plain } from '../checks.ts';
import { loopsCompute } from '../requestTime.ts';
import type { Rule } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { figure } from '../../../model/domain/format.ts';
import { cpuIdle, noQueueAtPool } from './guards.ts';

/** Every event loop of a JVM’s server is at work all the time: it computes, or a call blocks it. */
export const serverLoops: Rule = {
  kind: 'event-loop',
  byWaits: (s) => !loopsCompute(s),
  applies: (s) => s.serverLoops !== null,
  checks: (s) => [
    partAtLeast('event loops of the server at work', s.serverLoops?.busy, s.serverLoops?.count, thresholds.eventLoop),
    noQueueAtPool(s),
    cpuIdle(s),
    plain('CPU of the app, of one core', s.appCpuPercent === null ? 'not seen' : `${figure(s.appCpuPercent)} %`),
  ],
  explain: (s) => {
    const { name = '', count = 0 } = s.serverLoops ?? {};
    const computes = loopsCompute(s);
    return {
      said: { code: 'server-loops-full', name, loops: count, computes },
      why: [{ code: 'server-loops-full-why', cpuPercent: s.appCpuPercent, computes }],
      actions: computes
        ? [record('cpu', 'Record a CPU flame graph: what takes the time?'), advice('Do what computes for long on other threads')]
        : [
            advice('Move calls that block (a query, a file, a lock) to worker threads, or use clients that do not block'),
            record('wall', 'Record a wall-clock flame graph: what blocks the event loop?'),
          ],
    };
  },
};
