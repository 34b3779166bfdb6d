import * as z from 'zod';
import { attempt } from '../../../model/domain/attempt.ts';

/** What `tools/clinic/runner.cjs` is asked for, in a file. */
export const clinicRequestSchema = z.strictObject({
  tool: z.enum(['clinic-doctor', 'clinic-flame', 'clinic-heap']),
  mark: z.string().describe('begins each line that is for us'),
  packageDir: z.string().describe('where Clinic is installed'),
  dataDir: z.string().describe('where the tool and the runner write'),
  argv: z.array(z.string()).min(2).describe('program, then Node’s options, script and arguments, with the preload in front'),
  cwd: z.string().describe('the app’s own folder'),
  env: z.record(z.string(), z.string()).describe('the app’s whole environment'),
  sampleIntervalMs: z.number(),
});
export type ClinicRequest = z.infer<typeof clinicRequestSchema>;

const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('listening'), port: z.number() }),
  z.object({ type: z.literal('collected') }),
  z.object({ type: z.literal('finished') }),
  z.object({ type: z.literal('failed'), stage: z.enum(['tool', 'app', 'analysis']), message: z.string() }),
]);
export type ClinicMessage = z.infer<typeof messageSchema>;

/** The message in a line of the runner's output; null for what the app printed. */
export function readClinicMessage(line: string, mark: string): ClinicMessage | null {
  if (!line.startsWith(mark)) return null;
  return attempt(() => messageSchema.safeParse(JSON.parse(line.slice(mark.length))).data ?? null, null);
}

/** What the preload notes of the app. */
export const clinicAppSchema = z.object({ pid: z.number().int(), version: z.string().max(100) });
