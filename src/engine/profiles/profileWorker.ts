import { answerQuestions } from '../supervise/askedThread.ts';
import type { ProfileQueries } from './profileMessages.ts';
import { ProfileReader } from './profileReader.ts';

/** A thread that holds one recording and answers for it. */
answerQuestions<ProfileQueries>(new ProfileReader());
