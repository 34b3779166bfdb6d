import * as z from 'zod';
import { type OneOf, recorded, storedOrSentence, worded } from '../findingTable.ts';
import { roundKindSchema, roundText } from './roundKinds.ts';

const name = z.string().nullable().describe('of the trial that is measured; null: all of the round');

/** How far a tuning is. */
export const stageKinds = {
  round: worded({ round: roundKindSchema, name, route: z.string().nullable().describe('that is requested alone') }).says(
    ({ round: is, name: one, route }) => `${route === null ? '' : `${route} alone, `}${roundText(is)}${one === null ? '' : `: ${one}`}`,
  ),
  'fresh-processes': worded({ target: z.string() }).says(({ target }) => `Fresh processes of ${target}`),
  ended: worded({ decided: z.boolean(), rounds: z.number() }).says(
    ({ decided, rounds }) => `${decided ? 'Decided' : 'Ended'} after ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`,
  ),
  cancelled: worded({ rounds: z.number() }).says(({ rounds }) => `Cancelled after ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`),
  recorded,
} as const;

/** How far a tuning is, as a code with its figures. A record has the last one. */
export type Stage = OneOf<typeof stageKinds>;
export const stageSchema = storedOrSentence('stage', stageKinds);
