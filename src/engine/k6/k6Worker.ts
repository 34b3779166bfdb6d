import { parentPort, workerData } from 'node:worker_threads';
import { toFailure } from '../../model/domain/failure.ts';
import { type K6Reading, readK6Blocks } from './k6Blocks.ts';
import type { FromK6Worker } from './k6Thread.ts';

const reading = workerData as K6Reading;
const tell = (message: FromK6Worker): void => parentPort?.postMessage(message);

void readK6Blocks(reading, (file, bytes) => tell({ type: 'progress', file, bytes })).then(
  (read) => tell({ type: 'read', read }),
  (error: unknown) => tell({ type: 'failed', failure: toFailure(error) }),
);
