import { answerQuestions } from '../supervise/askedThread.ts';
import { readK6Blocks } from './k6Blocks.ts';
import type { K6Questions } from './k6Thread.ts';

answerQuestions<K6Questions>({ read: (reading, tell) => readK6Blocks(reading, (file, bytes) => tell({ file, bytes })) });
