import type { ProfileNote } from '../model/domain/profileNoteKinds.ts';
import type { LeftOutSamples } from '../model/domain/callTree.ts';

/**
 * Whose time it is from a frame of async-profiler on towards the leaf: `work` is its own; a `hook` is a function of it that precedes one of
 * the JVM or of the C library and calls that, so that what the hooked function does is the app's.
 */
export type RecorderPart = 'work' | 'hook' | null;

const library = /(?:^|\/)libasyncProfiler[^/]*\.(?:so|dylib)$/;
const javaClass = /^one[./]profiler[./](?:Instrument|AsyncProfiler)(?:[.$]|$)/;
const hookName = /^LockTracer::UnsafeParkHook\b|^\w+_(?:hook|wrapper)\b/;
/** By what a hook finds out what it is to note, before and after it calls the hooked function. */
const helper = /^(?:jvmti_|jni_|JvmtiEnv|clock_gettime|__vdso_|__tls_get_addr)/;
/** Where async-profiler takes a sample, where it waits for the next one, and its hook of waiting threads: names that no other program has. */
const entry =
  /^(?:(?:(?:J9)?WallClock|CTimer|ITimer|PerfEvents)::(?:signalHandler|timerLoop|threadEntry)|Profiler::(?:recordSample|timerLoop)|LockTracer::(?:MonitorContendedEnter(?:ed)?|recordContendedLock))\b/;

/** A frame as its recording names it: `place` is its library or its class, '' where neither is known. */
export interface NamedFrame {
  name: string;
  place: string;
  isNative: boolean;
}

/** What part of async-profiler a frame is, null where it is none, in a recording that names the libraries of native frames. */
export function recorderPart({ name, place, isNative }: NamedFrame): RecorderPart {
  if (!isNative) return javaClass.test(place) ? 'work' : null;
  if (!library.test(place)) return null;
  return hookName.test(name) ? 'hook' : 'work';
}

/** As {@link recorderPart}, where nothing but the name of a frame is known, as in collapsed stacks. */
export function recorderPartByName(name: string): RecorderPart {
  if (name.startsWith('LockTracer::UnsafeParkHook')) return 'hook';
  return entry.test(name) || javaClass.test(name) ? 'work' : null;
}

/** Whether what a hook calls is for the recorder and not for the app. */
export function helpsRecorder(callee: string): boolean {
  return helper.test(callee);
}

/** One note for each event that samples were left out of. */
export function leftOutNotes(leftOut: readonly LeftOutSamples[] | undefined): ProfileNote[] {
  return (leftOut ?? []).map(({ event, samples, ofSamples }) => ({ code: 'recorder-left-out', event, samples, ofSamples }));
}
