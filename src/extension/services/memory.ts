import type * as vscode from 'vscode';
import { isMeasureKind, measureKinds } from '../../model/protocol/measureKinds.ts';
import type { MeasureInput, MeasureKind, RequestOf } from '../../model/protocol/measureRequest.ts';
import type { CompareMemory, RecordMemory } from './lastAnswers.ts';

const underWayKey = 'benchside.underWay';
const experimentKey = 'benchside.lastTunedExperiment';
const recordingKey = 'benchside.recording';
const comparisonKey = 'benchside.comparison';

/** What is remembered for a workspace: the last requests, for Run Benchmark Again and its like, and the last answers that belong to no form. */
export class Memory {
  constructor(private readonly state: vscode.Memento) {}

  /** What was asked for last of this kind; undefined where nothing was. */
  async last<K extends MeasureKind>(kind: K): Promise<RequestOf<K> | undefined> {
    const { measureRequestSchema } = await import('../../model/protocol/measureRequest.ts');
    const stored = this.state.get<unknown>(measureKinds[kind].rememberedAs);
    // What was stored by earlier versions does not say its kind.
    const parsed = measureRequestSchema.safeParse(typeof stored === 'object' ? { ...stored, kind } : stored);
    return parsed.success ? (parsed.data as RequestOf<K>) : undefined;
  }

  async remember(request: MeasureInput): Promise<void> {
    await this.state.update(measureKinds[request.kind].rememberedAs, request);
  }

  /** What was being measured when this window was last closed or reloaded, which ends it. */
  get underWay(): MeasureKind | undefined {
    const kind = this.state.get<unknown>(underWayKey);
    return isMeasureKind(kind) ? kind : undefined;
  }

  async rememberUnderWay(kind: MeasureKind | undefined): Promise<void> {
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

  /** What was answered when versions of the code were compared last. */
  async comparison(): Promise<CompareMemory> {
    const { compareMemorySchema, firstCompareMemory } = await import('./lastAnswers.ts');
    return compareMemorySchema.catch(firstCompareMemory).parse(this.state.get(comparisonKey));
  }

  async rememberComparison(memory: CompareMemory): Promise<void> {
    await this.state.update(comparisonKey, memory);
  }

  /** What was answered when something was recorded last. */
  async recording(): Promise<RecordMemory> {
    const { recordMemorySchema, firstRecordMemory } = await import('./lastAnswers.ts');
    return recordMemorySchema.catch(firstRecordMemory).parse(this.state.get(recordingKey));
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
