import type { Recorder } from '../recorder.ts';
import { asyncProfilerRecorder } from './asyncProfilerRecorder.ts';
import { flightRecorder } from './flightRecorder.ts';

/** The profilers for a JVM, the best one first. `assetsDir` holds vendor/async-profiler. */
export function jvmRecorders(assetsDir: string): Recorder[] {
  return [asyncProfilerRecorder(assetsDir), flightRecorder()];
}
