import { failure, FailureError } from '../../model/domain/failure.ts';
import type { RecordedEvent, RecorderId, RecorderState } from '../../model/domain/recording.ts';
import type { Runtime } from '../../model/domain/runtimes.ts';
import { asyncProfilerRecorder } from './jvm/asyncProfilerRecorder.ts';
import { flightRecorder } from './jvm/flightRecorder.ts';
import { v8Recorder } from './node/v8Recorder.ts';
import type { Recorder } from './recorder.ts';
import { ofFamily } from './recordFamily.ts';

/** The recorders that attach to a running process and to those that belong to it, the preferred one of each runtime first. */
export class Recorders {
  readonly #recorders: readonly Recorder[];

  /** @param assetsDir holds vendor/async-profiler */
  constructor(assetsDir: string) {
    this.#recorders = [asyncProfilerRecorder(assetsDir), flightRecorder(), v8Recorder()].map(ofFamily);
  }

  /** What each can do, and the reason where it cannot be used here. */
  states(): RecorderState[] {
    return this.#recorders.map((recorder) => ({
      id: recorder.id,
      label: recorder.label,
      description: recorder.description,
      runtime: recorder.runtime,
      abilities: recorder.abilities,
      events: [...recorder.events],
      installed: true,
      installBytes: null,
      problem: recorder.problem(),
    }));
  }

  /** The recorder of that id, or the first for a runtime that works here and can record the events. Fails with a sentence. */
  choose(runtime: Runtime, id: RecorderId | undefined, events: readonly RecordedEvent[]): Recorder {
    if (id !== undefined) return this.#named(id, runtime);
    const own = this.#recorders.filter((recorder) => recorder.runtime === runtime);
    if (own.length === 0) {
      throw failure(
        'recorder-none',
        'There is no recorder for this kind of process.',
        'Java and Node processes can be recorded; give the target "runtime": "jvm" or "node" if it is one.',
      );
    }
    const usable = own.filter((recorder) => recorder.problem() === null);
    const problem = own[0]?.problem() ?? null;
    if (usable.length === 0 && problem !== null) throw new FailureError(problem);
    const able = usable.find((recorder) => events.every((event) => recorder.events.includes(event)));
    if (able === undefined) {
      throw failure(
        'recorder-event',
        `No recorder here records ${events.join(', ')} together.`,
        `Choose from: ${[...new Set(usable.flatMap((recorder) => recorder.events))].join(', ')}.`,
      );
    }
    return able;
  }

  /** The recorder to take when `refused` could not attach, or null. */
  fallback(refused: Recorder): Recorder | null {
    const next = this.#recorders
      .slice(this.#recorders.indexOf(refused) + 1)
      .find((recorder) => recorder.runtime === refused.runtime && recorder.problem() === null);
    return next ?? null;
  }

  #named(id: RecorderId, runtime: Runtime): Recorder {
    const recorder = this.#recorders.find((one) => one.id === id);
    if (recorder === undefined)
      throw failure(
        'recorder-unknown',
        `There is no recorder “${id}” for a running process.`,
        `There are: ${this.#recorders.map((one) => one.id).join(', ')}.`,
      );
    if (recorder.runtime !== runtime)
      throw failure(
        'recorder-runtime',
        `${recorder.label} does not record this kind of process.`,
        'Choose another recorder, or none: then the right one is taken.',
      );
    const problem = recorder.problem();
    if (problem !== null) throw new FailureError(problem);
    return recorder;
  }
}
