import type { Step } from '../../model/domain/progress/stepKinds.ts';
import { failure, FailureError } from '../../model/domain/failure.ts';
import type { LocalProcess, RecordingRequest } from '../../model/domain/recording.ts';
import type { ProbeGroup } from '../probe/probeServer.ts';
import { recordAttached } from './attachedRecording.ts';
import type { Recorders } from './recorders.ts';
import { recordingRecord } from './recordingRecord.ts';

/** Records a process that runs on this machine, under whatever load it has. The process is unchanged afterwards. */
export async function recordProcess(
  pid: number,
  request: RecordingRequest,
  {
    processes,
    probes,
    recorders,
    sourceRoots,
    progress,
    signal,
  }: {
    processes: readonly LocalProcess[];
    /** The probes of the app that it belongs to, where Benchside started it. */
    probes: ProbeGroup | null;
    recorders: Recorders;
    sourceRoots: string[];
    progress: (step: Step, fraction: number | null) => void;
    signal: AbortSignal;
  },
): Promise<ReturnType<typeof recordingRecord>> {
  const found = processes.find((one) => one.pid === pid);
  if (found === undefined) {
    throw failure(
      'process-not-found',
      `Process ${pid} is no running Java or Node process.`,
      'Choose one from the list; it may have ended meanwhile.',
    );
  }
  if (found.problem !== null) throw new FailureError(found.problem);
  progress({ code: 'recording', name: found.title, seconds: request.seconds }, 0.1);
  const { window, recorder, notes } = await recordAttached(recorders, request, {
    process: { pid, runtime: found.runtime, probes },
    load: null,
    signal,
  });
  progress({ code: 'writing-recording' }, 0.95);
  return recordingRecord(
    window,
    {
      title: `${found.title} (process ${pid})`,
      runtime: found.runtime,
      pid,
      command: found.command,
      target: found.targetId,
      trialKey: null,
      settings: {},
      sourceRoots,
    },
    recorder,
    { prefix: '', cost: null, notes },
  );
}
