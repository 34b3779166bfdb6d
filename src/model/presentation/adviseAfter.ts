import type { DiagnosisKind } from '../domain/diagnosisKind.ts';
import type { AskedOf } from '../protocol/measureRequest.ts';
import type { RunRecord, Trial } from '../domain/run.ts';

/** Verdicts that name nothing of the target which a change could help with. */
const noLimit: ReadonlySet<DiagnosisKind> = new Set(['healthy', 'invalid', 'client-limited', 'busy-machine']);

/** Whether what would help is the next step of a trial: something limits it, in a closed loop under which changes can be compared. */
export function isAdvisable({ load, result }: Pick<RunRecord, 'load' | 'result'>, trial: Trial | undefined): trial is Trial {
  const isPlain = load.ratePerS === undefined && load.stages === undefined && load.roles === undefined;
  const isOwn = result.kind !== 'experiment' && result.kind !== 'diff';
  return trial?.diagnosis != null && isOwn && isPlain && !noLimit.has(trial.diagnosis.kind);
}

/** What is asked for where the verdict on a trial is followed: the same load on the same settings. */
export function askedAfter({ id, request }: Pick<RunRecord, 'id' | 'request'>, trial: Trial | undefined): AskedOf<'advise'> {
  const { load, route } = request;
  return {
    ...(trial === undefined ? {} : { target: trial.target, settings: trial.settings, connections: trial.connections }),
    load,
    ...(route === undefined ? {} : { route }),
    from: id,
  };
}
