import { type OneOf, always, recorded, saidIn, storedOrSentence } from '../findingTable.ts';

const ours = 'our own, tried on services whose limit was known';
const missionControl = 'JDK Mission Control';

const oursAs = (why: string) => always(`${ours}; ${why}`);

/** Where the limit of a figure comes from. */
export const thresholdSources = {
  'valid-block': always('the rule for valid blocks'),
  'valid-blocks': always('the rules for valid blocks'),
  'locust-core': always('Locust warns at 90 % of a core'),
  ours: always(ours),
  'mission-control-processes': always(`${missionControl}, “Competing processes”: 40 %`),
  'ours-fair-scheduler': oursAs('the scheduler shares fairly'),
  'never-empty-queue': always('a queue that is never empty (Little’s law)'),
  'ours-work-behind-answer': oursAs('work that goes on behind an answer gives them back'),
  'measured-holds': always('as measured: from a fifth of the CPU on, waiting for it is a good part of a hold'),
  'ours-round-trips': oursAs('less than that are round trips'),
  'polardb-sessions': always('PolarDB: sessions on CPU ≥ 80 % of the cores'),
  'doctor-utilisation': always('clinic doctor: utilisation ≥ 95 %'),
  'ours-half-second': oursAs('read over half a second, which may begin before the load does'),
  'doctor-delay': always('clinic doctor: a median delay of 10 ms'),
  'ours-blocked-loop': oursAs('a loop that is busy with less is blocked, or waits for its turn'),
  'ours-turn-of-loop': oursAs('less may be a turn of the loop'),
  'ours-rows-read': oursAs('nobody reads as many'),
  'ours-of-core': oursAs('percent of a core'),
  'ours-each-second': oursAs('a second'),
  'kernel-delayed-acks': always('the kernel’s counter DelayedACKs'),
  'linux-delack': always('Linux: TCP_DELACK_MIN is 40 ms'),
  'ours-timer-tick': oursAs('the timer, and a tick of it'),
  'mission-control-pauses': always(`${missionControl}: pauses of 10 % are a warning`),
  'ours-without-pauses': oursAs('without these pauses at most half as much again'),
  'ours-roomy-heap': oursAs('a heap with more room is not collected for want of it'),
  'mission-control-short-pauses': always(`${missionControl}: pauses of 5 %`),
  'mission-control-cpu': always(`${missionControl}: 80 % by one JVM; 85 % ${ours}`),
  'ours-cpython': oursAs('CPython at its limit measured 98 % of a core'),
  'ours-of-readings': oursAs('of the readings, and of the most that they show'),
  'ours-jetty': oursAs('Jetty keeps a thread or two for itself'),
  'more-wait-than-threads': always('more requests wait than it has threads: some wait in its queue'),
  'mission-control-monitors': always(`${missionControl}, threads blocked on monitors: 20 %`),
  'goetz-threads': always('Goetz: threads = cores × (1 + wait ÷ compute); sixteen times that'),
  'kernel-pressure': always('the kernel’s pressure stall information, some ≥ 20 %'),
  'mission-control-switches': always(`${missionControl}: 10,000 context switches a second`),
  'hikari-dead-lock': always('HikariCP: pools and dead-lock'),
  'cores-of-proxy': always('of the cores that it may use (one for each worker, or its limit), 90 % as for the load generator'),
  'soft-limit': always('the soft limit of the process'),
  'gigabit-line': always('a line of 1 Gbit/s carries 119 MiB/s'),
  'healthy-loops': always('healthy closed loops measured 0.97 … 0.995'),
  'twice-fits': always('less than half used: twice the load would fit'),
  'one-at-a-time': always('one request at a time'),
  'one-each': always('as many as it has can each have one'),
  any: always('any'),
  'any-time-out': always('any time-out of the pool'),
  'pool-of-as-many': always('a pool of as many can never be what they wait for'),
  'more-load-brings-more': always('with fewer, more load would bring more'),
  'beyond-one-core': always('other threads would add to one core'),
  'missing-to-app': always('more than that is missing to the app'),
  'little-on-trials': always('Little’s law, on the trials of this run'),
  'queue-behind-pool': always('a queue behind the pool makes it grow with the pool'),
  'rounds-of-run': always('the rounds of this run'),
  'published-c': always('the sign of the published experiment C'),
  recorded,
} as const;

export type ThresholdSource = OneOf<typeof thresholdSources>;
export const thresholdSourceSchema = storedOrSentence('thresholdSource', thresholdSources);

/** All have no figures, but for what a record of before says. */
export type SourceCode = Exclude<keyof typeof thresholdSources, 'recorded'>;

export function fromSource(code: SourceCode): ThresholdSource {
  return { code } as ThresholdSource;
}

export function sourceText(source: ThresholdSource): string {
  return saidIn(thresholdSources, source);
}
