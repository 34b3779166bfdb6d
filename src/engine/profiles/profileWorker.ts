import { parentPort } from 'node:worker_threads';
import { toFailure } from '../../model/domain/failure.ts';
import type { FromProfileWorker, ProfileQueries, ProfileQuery, ToProfileWorker } from './profileMessages.ts';
import { ProfileReader } from './profileReader.ts';

/** A thread that holds one recording and answers for it, one question after the other. */
const reader = new ProfileReader();

async function answer<Q extends ProfileQuery>(query: Q, params: ProfileQueries[Q]['params']): Promise<unknown> {
  const handlers: {
    [N in ProfileQuery]: (params: ProfileQueries[N]['params']) => Promise<ProfileQueries[N]['result']> | ProfileQueries[N]['result'];
  } = {
    open: (asked) => reader.open(asked),
    piece: (asked) => reader.piece(asked),
    frame: (asked) => reader.frame(asked),
    lines: () => reader.lines(),
    export: (asked) => reader.export(asked),
  };
  return handlers[query](params);
}

parentPort?.on('message', ({ id, query, params }: ToProfileWorker) => {
  answer(query, params).then(
    (result) => parentPort?.postMessage({ id, result } satisfies FromProfileWorker),
    (error: unknown) => parentPort?.postMessage({ id, failure: toFailure(error) } satisfies FromProfileWorker),
  );
});
