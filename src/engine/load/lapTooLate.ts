import { failure } from '../../model/domain/failure.ts';

export function lapTooLate(): Error {
  return failure('load-lap-too-late', 'The block ended before its lap was taken.', 'Use the measurement of the block itself.');
}
