import { FailureError } from '../../model/domain/failure.ts';
import type { SettingValues } from '../../model/domain/setting.ts';

/** A process of a run did not start: as {@link FailureError}, with the values that were asked for it. */
export class NotStarted extends FailureError {
  constructor(
    cause: FailureError,
    readonly asked: SettingValues,
  ) {
    super(cause.failure, { cause });
  }
}
