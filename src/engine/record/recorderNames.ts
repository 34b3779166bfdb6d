import type { RecorderId } from '../../model/domain/recording.ts';

/** What a recorder is called where people read it. */
export const recorderNames: Readonly<Record<RecorderId, string>> = {
  'async-profiler': 'async-profiler',
  jfr: 'JDK Flight Recorder',
  v8: 'V8 inspector',
  'clinic-doctor': 'clinic doctor',
  'clinic-flame': 'clinic flame',
  'clinic-heap': 'clinic heap profiler',
  'clinic-bubbleprof': 'clinic bubbleprof',
};
