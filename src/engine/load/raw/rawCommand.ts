import * as z from 'zod';

/** What the load worker is to keep of a block's requests. */
export const rawCommandSchema = z.object({
  file: z.string().describe('absolute path; it is made when it is missing, and added to'),
  idPrefix: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,22}$/, 'letters, digits and -')
    .describe('of the ids of this block; no other block may have it'),
  share: z.number().gt(0).max(1),
  maxRows: z.number().int().min(0).describe('of this block'),
  timing: z.boolean(),
  trialKey: z.string().max(500),
  block: z.number().int().nonnegative().describe('the round'),
});
export type RawCommand = z.infer<typeof rawCommandSchema>;
