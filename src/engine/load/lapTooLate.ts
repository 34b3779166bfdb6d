import { failure } from '../../model/failure.ts';

/** Why a lap cannot be had any more. */
export function lapTooLate(): Error {
  return failure('load-lap-too-late', 'The block ended before its lap was taken.', 'Use the measurement of the block itself.');
}
