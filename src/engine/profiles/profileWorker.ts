import { parentPort } from 'node:worker_threads';
import { toFailure } from '../../model/domain/failure.ts';
import type { FromProfileWorker, ProfileQueries, ProfileQuery, ToProfileWorker } from './profileMessages.ts';
import { ProfileReader } from './profileReader.ts';

type Answers = {
  [Q in ProfileQuery]: (params: ProfileQueries[Q]['params']) => Promise<ProfileQueries[Q]['result']> | ProfileQueries[Q]['result'];
};

/** A thread that holds one recording and answers for it, one question after the other. */
const reader: Answers = new ProfileReader();

async function answer<Q extends ProfileQuery>(query: Q, params: ProfileQueries[Q]['params']): Promise<unknown> {
  return reader[query](params);
}

parentPort?.on('message', ({ id, query, params }: ToProfileWorker) => {
  answer(query, params).then(
    (result) => parentPort?.postMessage({ id, result } satisfies FromProfileWorker),
    (error: unknown) => parentPort?.postMessage({ id, failure: toFailure(error) } satisfies FromProfileWorker),
  );
});
