import * as z from 'zod';
import { modeReasonSchema } from './modeReason.ts';
import { answerDigestSchema, comparedAnswersSchema } from './routeCheck.ts';
import { settingValuesSchema } from './setting.ts';

/** How a run was done, and in which order, so that it can be repeated. */
export const planSchema = z.object({
  mode: z.enum(['process-per-setting', 'restart-per-block', 'live']),
  modeReasons: z.array(modeReasonSchema),
  order: z.array(z.array(z.string())).describe('trial keys in the order of each round'),
  commands: z
    .record(
      z.string(),
      z.object({
        argv: z.array(z.string()),
        cwd: z.string(),
        env: z.array(z.string()).describe('names only; values may be secret'),
        settings: settingValuesSchema.optional().describe('every setting, asked for or default'),
        cpu: z.object({ cores: z.number(), means: z.string() }).optional().describe('the limit that was in force, and by what means'),
        log: z
          .object({ file: z.string().describe('in the run’s folder'), lastLine: z.string() })
          .optional()
          .describe('what it printed; absent of one that printed nothing'),
        answers: z.array(answerDigestSchema).optional().describe('what its routes answered when they were asked first'),
        compared: comparedAnswersSchema
          .optional()
          .describe('with what the first process answered; absent of that one, and where none was asked'),
      }),
    )
    .describe('by trial key'),
});
