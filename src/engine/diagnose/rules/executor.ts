import { advice, record } from '../actions.ts';
import { atLeast, partAtLeast, plain, share } from '../checks.ts';
import type { Rule } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { cpuIdle, noQueueAtPool } from './guards.ts';

/** Request threads wait for results of an executor of the app, of which every thread is at work. */
export const executor: Rule = {
  kind: 'thread-pool',
  byWaits: true,
  applies: (s) => s.executor !== null,
  checks: (s) => {
    const { name = '', threads = 0, where = '', waiting = null, of = null } = s.executor ?? {};
    return [
      partAtLeast('threads-for-result', waiting, of, thresholds.waitForResults),
      atLeast('must', { code: 'results-for-thread', executor: name }, share(waiting, threads), thresholds.resultsPerThread),
      noQueueAtPool(s),
      cpuIdle(s),
      plain({ code: 'executor-at' }, where),
    ];
  },
  explain: (s) => {
    const { name = '', threads = 0, where = '', waiting = 0, of = 0 } = s.executor ?? {};
    return {
      said: { code: 'executor-full', name, threads, waiting, of },
      why: [{ code: 'executor-full-why', where }],
      actions: [advice({ code: 'more-executor-threads', executor: name }), record('wall', { code: 'what-executor-does' })],
    };
  },
};
