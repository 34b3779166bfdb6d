import type { Failure } from '../../../model/domain/failure.ts';
import type { RecorderAbilities, RecorderState } from '../../../model/domain/recording.ts';

/** One of Clinic's tools. They cannot attach: the tool starts the app itself, so they do not implement {@link Recorder} and `runClinic` runs them. */
type ClinicTool = Pick<RecorderState, 'id' | 'label' | 'description' | 'abilities' | 'events' | 'problem'>;

const hangs: Failure = {
  code: 'clinic-bubbleprof-unsupported',
  message: 'Clinic’s bubbleprof 10.0.0 cannot be used: it hangs on Node 20, 22 and 24, even without load.',
  cure: 'Record waiting with the V8 inspector instead: its async wait tree shows what waits for the pool and for the database.',
};
const needsSignals: Failure = {
  code: 'clinic-platform-unsupported',
  message: 'Clinic’s tools are not started on Windows: they are ended by a signal, which Windows does not have.',
  cure: 'Record with the V8 inspector instead, or run Benchside in WSL.',
};

const relaunch: RecorderAbilities = { attach: false, relaunch: true, lines: false, heap: false, waits: false };

/** All of Clinic's tools, also those that cannot be used on this platform. */
export function clinicTools(platform: NodeJS.Platform = process.platform): readonly ClinicTool[] {
  const problem = platform === 'win32' ? needsSignals : null;
  return [
    {
      id: 'clinic-doctor',
      label: 'Clinic Doctor',
      abilities: relaunch,
      events: [],
      problem,
      description: 'Samples CPU, memory, event-loop delay and handles, and gives a hint at what to look into. It makes no flame graph.',
    },
    {
      id: 'clinic-flame',
      label: 'Clinic Flame',
      abilities: relaunch,
      events: ['cpu'],
      problem,
      description:
        'CPU samples by V8’s own log: app, dependency and runtime code, and what V8 optimised or could inline. Nearly doubles the CPU time of a request.',
    },
    {
      id: 'clinic-heap',
      label: 'Clinic Heap Profiler',
      abilities: { ...relaunch, heap: true },
      events: ['heap'],
      problem,
      description: 'Samples what is allocated and still alive at the end, by the function that allocated it.',
    },
    {
      id: 'clinic-bubbleprof',
      label: 'Clinic Bubbleprof',
      abilities: { ...relaunch, waits: true },
      events: [],
      problem: hangs,
      description: 'Follows asynchronous operations.',
    },
  ];
}
