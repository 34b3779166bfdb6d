import * as z from 'zod';

/**
 * What went wrong, as a value that can cross every boundary: a stable code, one sentence for a person,
 * and what that person can do about it. `detail` carries material (a log's last lines, a validation path).
 */
export const failureSchema = z.object({
  code: z.string(),
  message: z.string(),
  cure: z.string(),
  detail: z.string().optional(),
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

/** Builds a {@link FailureError}; `detail` is left out when there is none. */
export function failure(code: string, message: string, cure: string, detail?: string): FailureError {
  return new FailureError(detail === undefined ? { code, message, cure } : { code, message, cure, detail });
}

/** The failure in anything that was thrown. What is not a {@link FailureError} is a defect of ours and says so. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof FailureError) return thrown.failure;
  if (isCancellation(thrown)) return { code: 'cancelled', message: 'Cancelled.', cure: 'Run it again when you are ready.' };
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const stack = thrown instanceof Error ? thrown.stack : undefined;
  return {
    code: 'internal',
    message: `Something inside Benchside failed: ${message}`,
    cure: 'Run “Benchside: Show Log” and report what it says.',
    ...(stack === undefined ? {} : { detail: stack }),
  };
}

/** Whether what was thrown is the reason of an aborted `AbortSignal` (or of a cancelled request). */
export function isCancellation(thrown: unknown): boolean {
  return (
    thrown instanceof Error && (thrown.name === 'AbortError' || (thrown instanceof FailureError && thrown.failure.code === 'cancelled'))
  );
}
