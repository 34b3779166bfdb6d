import * as z from 'zod';
import { stepSchema, stepText } from '../domain/progress/stepKinds.ts';

/** How far something is that is no run. */
export const progressSchema = z.object({
  of: z.enum(['check', 'k6', 'look', 'postgres', 'raw', 'recording', 'routes', 'service', 'traffic', 'versions']),
  doing: stepSchema,
  fraction: z.number().min(0).max(1).nullable().describe('that is done; null where it is not known'),
});
export type Progress = z.infer<typeof progressSchema>;

/** Listens to one kind of work, in words. */
export function progressOf<D>(
  engine: { on(name: 'progress', listener: (progress: Progress) => void): D },
  kind: Progress['of'],
  show: (advance: { message: string; fraction: number | null }) => void,
): D {
  return engine.on('progress', ({ of, doing, fraction }) => {
    if (of === kind) show({ message: stepText(doing), fraction });
  });
}
