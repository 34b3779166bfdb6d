import { failure } from '../../model/failure.ts';
import type { Generator } from '../../model/generator.ts';
import type { RunRequest } from '../../model/run.ts';
import { k6Traffic } from '../k6/k6Traffic.ts';
import { courseOf, profileBlock } from '../load/profileBlock.ts';
import type { RunPlan } from './plan.ts';

/** Refuses what k6 cannot put on in the place of our own generator, before anything is started. Fails with `k6-cannot`. */
export function refuseForK6({ load, mixes, trials }: RunPlan, { processes }: Generator, { raw }: Pick<RunRequest, 'raw'>): void {
  if (raw !== undefined)
    throw failure(
      'k6-cannot',
      'Raw samples are kept by Benchside’s own generator, and k6 is to put the load on.',
      'Leave one of the two out.',
    );
  const fewest = Math.min(...trials.map(({ connections }) => connections));
  if (load.ratePerS === undefined && processes > fewest)
    throw failure(
      'k6-cannot',
      `${processes} processes of k6 cannot share ${fewest} connections.`,
      'Choose fewer processes, or more connections.',
    );
  for (const { mix } of mixes.values()) {
    const plan = { host: '127.0.0.1', port: 80, connections: fewest, ...profileBlock(load, 1), mix };
    k6Traffic(courseOf(load, plan), undefined);
  }
}
