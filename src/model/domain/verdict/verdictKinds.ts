import * as z from 'zod';
import { type OneOf, recorded, saidIn, storedOrSentence, worded } from '../findingTable.ts';
import { capital, withoutStop } from '../sentence.ts';
import { poolVerdicts } from './poolVerdicts.ts';
import { processorVerdicts } from './processorVerdicts.ts';
import { verdictRemarks } from './remarks.ts';
import { roomVerdicts } from './roomVerdicts.ts';
import { fullPool, fullPoolFigures, ladderVerdicts, runVerdicts } from './runVerdicts.ts';
import { waitVerdicts } from './waitVerdicts.ts';

/** All that a verdict says: figures of each, and its words. */
export const verdictKinds = {
  ...poolVerdicts,
  ...processorVerdicts,
  ...waitVerdicts,
  ...roomVerdicts,
  ...verdictRemarks,
  ...runVerdicts,
  ...ladderVerdicts,
  'room-by-larger': worded({ ...fullPoolFigures, alone: z.lazy(anyPart) }).says(
    ({ alone, ...use }) =>
      `${capital(fullPool(use))}. Alone, this trial looks as though the processor were full (${withoutStop(partText(alone))}); a larger pool found room in it.`,
  ),
  recorded,
} as const;

/** One thing that a verdict says, as a code with its figures. */
export type VerdictPart = OneOf<typeof verdictKinds>;
export const verdictPartSchema = storedOrSentence('verdictPart', verdictKinds);

/** It as a sentence, or as several. */
export function verdictText(part: VerdictPart): string {
  return saidIn(verdictKinds, part);
}

/** The type of a part within a part: the table’s own type cannot depend on itself. */
function anyPart(): z.ZodType<{ code: string }> {
  return verdictPartSchema;
}

function partText(part: { code: string }): string {
  return verdictText(part as VerdictPart);
}
