import { parseRoundTrip } from '../model/domain/roundTrip.ts';
import { command } from './command.ts';
import { type Reader, type Values, one } from './options.ts';
import { decimal, whole, word, wrong } from './values.ts';

const roundTrip: Reader<number> = (text, name) => {
  const parsed = parseRoundTrip(text);
  if (!parsed.ok) throw wrong(`${name}: ${parsed.problem}`);
  return parsed.value;
};

const [leastCores, mostCores] = [0.1, 1024];

const predictOptions = {
  trial: one('--trial <key>', 'which trial of the run, or a part of its key, e.g. pool=8', word),
  rttMs: one('--rtt <time>', 'the round trip to the database, e.g. 1ms (default: as measured)', roundTrip),
  appCores: one(
    '--app-cores <n>',
    'cores of the machine of each instance (default: the machine of the run, which all share)',
    decimal(leastCores, mostCores),
  ),
  databaseCores: one('--database-cores <n>', 'cores of the machine of the database', decimal(leastCores, mostCores)),
  instances: one('--instances <n>', 'instances of the app (default: as measured)', whole(1, 1000)),
  pool: one('--pool <n>', 'connections to the database of each instance (default: as measured)', whole(1, 10_000)),
  clients: one('--clients <n>', 'requests at a time (default: the most that was measured)', whole(1, 100_000)),
};

/** What a prediction is asked for: what is left out is as it was measured. */
export type PredictAsked = { run: string } & Omit<Values<typeof predictOptions>, 'trial'> & { trial: string | null };

export const predictCommand = command({
  words: 'predict [run]',
  description:
    'what a run (default: the last) says of other surroundings: throughput, which tier is full and the pool that suffices, with more cores or instances or a database further away',
  options: predictOptions,
  means: ({ trial, ...values }, run = 'last'): PredictAsked => ({ run, trial: trial ?? null, ...values }),
});
