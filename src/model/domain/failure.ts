import * as z from 'zod';
import { type CuredCode, type FailureCode, failureCure, isFailureCode } from './failureCodes.ts';
import { routeCheckSchema } from './routeCheck.ts';

/** A code that another version of Benchside wrote says nothing to this one; its sentence and its cure still do. */
export const failureCodeSchema = z.preprocess(
  (code) => (typeof code === 'string' && !isFailureCode(code) ? 'internal' : code),
  z.string() as unknown as z.ZodType<FailureCode>,
);

/**
 * What a person may agree to, so that what was refused goes on. `kind` and `subject` say what it is about, for who agrees in advance: a `host` by its name, an `sql`
 * by `host:port/database`.
 */
export const questionSchema = z.object({
  id: z.string().describe('of exactly this: another host, database or file is another question'),
  kind: z.enum(['host', 'sql']),
  subject: z.string(),
  ask: z.string(),
  detail: z.string(),
  yes: z.string().describe('the answer, as a button'),
});
export type Question = z.infer<typeof questionSchema>;

/**
 * What went wrong, as a value that can cross every boundary: a stable code, one sentence for a person,
 * and what that person can do about it. `detail` carries material (a log's last lines, a validation path).
 */
export const failureSchema = z.object({
  code: failureCodeSchema,
  message: z.string(),
  cure: z.string(),
  detail: z.string().optional(),
  question: questionSchema.optional(),
  variable: z
    .object({ target: z.string(), name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/) })
    .optional()
    .describe('an environment variable that the target named as missing before it ended'),
  routes: routeCheckSchema.optional().describe('of `route-fails`: what each route answered'),
});
export type Failure = z.infer<typeof failureSchema>;

/** An `Error` that carries a {@link Failure}, so that it can be thrown inside one process and sent as a value to the next. */
export class FailureError extends Error {
  constructor(
    readonly failure: Failure,
    options?: ErrorOptions,
  ) {
    super(failure.message, options);
    this.name = 'FailureError';
  }
}

/** Builds a {@link FailureError}; the cure may be left to the code where that has one, and `detail` where there is none. */
export function failure(code: CuredCode, message: string, cure?: string, detail?: string): FailureError;
export function failure(code: FailureCode, message: string, cure: string, detail?: string): FailureError;
export function failure(code: FailureCode, message: string, cure?: string, detail?: string): FailureError {
  return new FailureError({ code, message, cure: cure ?? failureCure(code) ?? '', ...(detail === undefined ? {} : { detail }) });
}

/** The failure in anything that was thrown. What is not a {@link FailureError} is a defect of Benchside and says so. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof FailureError) return thrown.failure;
  if (isCancellation(thrown)) return failure('cancelled', 'Cancelled.').failure;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const stack = thrown instanceof Error ? thrown.stack : undefined;
  return failure('internal', `Something inside Benchside failed: ${message}`, undefined, stack).failure;
}

/** Whether what was thrown is the reason of an aborted `AbortSignal` (or of a cancelled request). */
export function isCancellation(thrown: unknown): boolean {
  return (
    thrown instanceof Error && (thrown.name === 'AbortError' || (thrown instanceof FailureError && thrown.failure.code === 'cancelled'))
  );
}
