import * as z from 'zod';

/** What puts the load on in place of Benchside’s own closed loop. */
export const generatorSchema = z.strictObject({
  kind: z.literal('k6'),
  processes: z.number().int().min(1).max(64).describe('of k6, which share each block'),
});
export type Generator = z.infer<typeof generatorSchema>;

/** As the command line has it: `k6=2`. */
export function generatorText({ kind, processes }: Generator): string {
  return processes === 1 ? kind : `${kind}=${processes}`;
}
