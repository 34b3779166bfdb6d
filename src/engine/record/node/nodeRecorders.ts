import type { Recorder } from '../recorder.ts';
import { v8Recorder } from './v8Recorder.ts';

/** The recorders that attach to a running Node process, the preferred one first. */
export function nodeRecorders(): Recorder[] {
  return [v8Recorder()];
}
