import { parentPort } from 'node:worker_threads';
import { toFailure } from '../../model/domain/failure.ts';
import { detectServices } from '../detect/detectServices.ts';
import { readHeapCensus } from '../calltree/heapCensus.ts';
import { readSavedRequests } from '../run/tuning/savedRequestFiles.ts';
import { loadWorkspaceFile } from '../targets/workspaceFile.ts';
import { readWorkspaceProfiles } from '../targets/workspaceProfiles.ts';
import { readTraffic } from '../traffic/readTraffic.ts';
import type { FromReadingWorker, Reading, Readings, ToReadingWorker } from './readingMessages.ts';

/** A thread that reads one untrusted file, and ends: it may be ended at any time. */
const readers: { [R in Reading]: (params: Readings[R]['params']) => Readings[R]['result'] | Promise<Readings[R]['result']> } = {
  discover: ({ dir, command }) => detectServices(dir, command),
  workspaceFile: ({ file }) => loadWorkspaceFile(file),
  workspaceProfiles: ({ dir }) => readWorkspaceProfiles(dir),
  traffic: ({ files, wishes }) => readTraffic(files, wishes),
  heapCensus: ({ files, least }) => readHeapCensus(files, least),
  savedRequests: ({ assetsDir, workspaceDir }) => readSavedRequests(assetsDir, workspaceDir),
};

async function read<R extends Reading>(reading: R, params: Readings[R]['params']): Promise<Readings[R]['result']> {
  return readers[reading](params);
}

parentPort?.once('message', ({ reading, params }: ToReadingWorker) => {
  read(reading, params).then(
    (result) => parentPort?.postMessage({ result } satisfies FromReadingWorker),
    (error: unknown) => parentPort?.postMessage({ failure: toFailure(error) } satisfies FromReadingWorker),
  );
});
