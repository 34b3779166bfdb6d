import { answerQuestions } from '../supervise/askedThread.ts';
import { readListedRun } from './listedRun.ts';
import type { RunListQuestions } from './runListThread.ts';

/** A thread that reads whole records, so that the engine's own stays free for what it measures meanwhile. */
answerQuestions<RunListQuestions>({ read: ({ folder, id }) => readListedRun(folder, id) });
