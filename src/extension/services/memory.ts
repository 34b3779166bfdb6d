import type * as vscode from 'vscode';
import type { ParamsInput } from '../../model/protocol.ts';
import type { RunRequest } from '../../model/run.ts';
import type { StudyRequest } from '../../model/study.ts';
import type { TuneRequest } from '../../model/tuning.ts';
import type { CompareMemory } from './compareMemory.ts';
import type { RecordMemory } from './recordMemory.ts';

const requestKey = 'benchside.lastRequest';
const tuneKey = 'benchside.lastTuning';
const underWayKey = 'benchside.underWay';
const studyKey = 'benchside.lastStudy';
const experimentKey = 'benchside.lastExperiment';
const recordingKey = 'benchside.recording';
const comparisonKey = 'benchside.comparison';

/** What is remembered for a workspace: the last requests, for Run Benchmark Again and its like, and the last answers that belong to no form. */
export class Memory {
  constructor(private readonly state: vscode.Memento) {}

  async lastRequest(): Promise<RunRequest | undefined> {
    const { runRequestSchema } = await import('../../model/run.ts');
    const parsed = runRequestSchema.safeParse(this.state.get(requestKey));
    return parsed.success ? parsed.data : undefined;
  }

  async rememberRequest(request: RunRequest): Promise<void> {
    await this.state.update(requestKey, request);
  }

  async lastTuning(): Promise<TuneRequest | undefined> {
    const { tuneRequestSchema } = await import('../../model/tuning.ts');
    const parsed = tuneRequestSchema.safeParse(this.state.get(tuneKey));
    return parsed.success ? parsed.data : undefined;
  }

  async rememberTuning(request: ParamsInput<'tune/start'>): Promise<void> {
    await this.state.update(tuneKey, request);
  }

  /** What was being measured when this window was last closed or reloaded, which ends it. */
  get underWay(): 'run' | 'tune' | 'study' | 'diff' | undefined {
    const kind = this.state.get<unknown>(underWayKey);
    return kind === 'run' || kind === 'tune' || kind === 'study' || kind === 'diff' ? kind : undefined;
  }

  async rememberUnderWay(kind: 'run' | 'tune' | 'study' | 'diff' | undefined): Promise<void> {
    await this.state.update(underWayKey, kind);
  }

  /** The name of the experiment that was run last. */
  get lastExperiment(): string | undefined {
    const name = this.state.get<unknown>(experimentKey);
    return typeof name === 'string' ? name : undefined;
  }

  async rememberExperiment(name: string): Promise<void> {
    await this.state.update(experimentKey, name);
  }

  /** The published experiment that was run last. */
  async lastStudy(): Promise<StudyRequest | undefined> {
    const { studyRequestSchema } = await import('../../model/study.ts');
    const parsed = studyRequestSchema.safeParse(this.state.get(studyKey));
    return parsed.success ? parsed.data : undefined;
  }

  async rememberStudy(request: StudyRequest): Promise<void> {
    await this.state.update(studyKey, request);
  }

  /** What was answered when versions of the code were compared last. */
  async comparison(): Promise<CompareMemory> {
    const { compareMemorySchema, firstCompareMemory } = await import('./compareMemory.ts');
    const parsed = compareMemorySchema.safeParse(this.state.get(comparisonKey));
    return parsed.success ? parsed.data : firstCompareMemory;
  }

  async rememberComparison(memory: CompareMemory): Promise<void> {
    await this.state.update(comparisonKey, memory);
  }

  /** What was answered when something was recorded last. */
  async recording(): Promise<RecordMemory> {
    const { recordMemorySchema, firstRecordMemory } = await import('./recordMemory.ts');
    const parsed = recordMemorySchema.safeParse(this.state.get(recordingKey));
    return parsed.success ? parsed.data : firstRecordMemory;
  }

  async rememberRecording(memory: RecordMemory): Promise<void> {
    await this.state.update(recordingKey, memory);
  }

  /** Forgets the settings with which a target was recorded last: others are applied to it now. */
  async forgetRecordedSettings(targetId: string): Promise<void> {
    const memory = await this.recording();
    const settings = Object.fromEntries(Object.entries(memory.settings).filter(([id]) => id !== targetId));
    await this.rememberRecording({ ...memory, settings });
  }
}
