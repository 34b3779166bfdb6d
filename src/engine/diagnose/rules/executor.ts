import { mean } from '../../../model/domain/verdict/phrases.ts';
import { advice, record } from '../actions.ts';
import { atLeast, plain, share } from '../checks.ts';
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
      atLeast(
        'must',
        'request threads that wait for a result of another thread',
        share(waiting, of),
        thresholds.waitForResults,
        waiting === null || of === null ? null : `${mean(waiting)} of ${mean(of)}`,
      ),
      atLeast(
        'must',
        `the same, for each of the threads of “${name}”, all of which are at work`,
        share(waiting, threads),
        thresholds.resultsPerThread,
      ),
      noQueueAtPool(s),
      cpuIdle(s),
      plain('what most of these threads do', where),
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
