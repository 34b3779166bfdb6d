import { detectServices } from '../detect/detectServices.ts';
import { readHeapCensus } from '../calltree/heapCensus.ts';
import { readSavedRequests } from '../run/tuning/savedRequestFiles.ts';
import { loadWorkspaceFile } from '../targets/workspaceFile.ts';
import { readWorkspaceProfiles } from '../targets/workspaceProfiles.ts';
import { readTraffic } from '../traffic/readTraffic.ts';
import { answerQuestions } from '../supervise/askedThread.ts';
import type { Readings } from './readingThread.ts';

/** A thread that reads one untrusted file, and ends: it may be ended at any time. */
answerQuestions<Readings>({
  discover: ({ dir, command }) => detectServices(dir, command),
  workspaceFile: ({ file }) => loadWorkspaceFile(file),
  workspaceProfiles: ({ dir }) => readWorkspaceProfiles(dir),
  traffic: ({ files, wishes }) => readTraffic(files, wishes),
  heapCensus: ({ files, least }) => readHeapCensus(files, least),
  savedRequests: ({ assetsDir, workspaceDir }) => readSavedRequests(assetsDir, workspaceDir),
});
