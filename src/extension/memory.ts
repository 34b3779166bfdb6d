import type * as vscode from 'vscode';
import type { Form } from '../model/panel.ts';
import type { Catalog } from '../model/protocol.ts';
import type { RunRequest } from '../model/run.ts';
import type { RecordMemory } from './flame/recordChoices.ts';
import { defaultForm, fitForm } from './answers.ts';

const formKey = 'benchside.form';
const requestKey = 'benchside.lastRequest';
const recordingKey = 'benchside.recording';

/** What is remembered for a workspace: one form for the quick picks and the panel, and the last run's request for Run Benchmark Again. */
export class Memory {
  constructor(private readonly state: vscode.Memento) {}

  /** The remembered form, cut to what the catalog still has; the default on the first day or when it cannot be read. */
  async form(catalog: Catalog): Promise<Form> {
    const { formSchema } = await import('../model/panel.ts');
    const parsed = formSchema.safeParse(this.state.get(formKey));
    return parsed.success ? fitForm(parsed.data, catalog) : defaultForm(catalog);
  }

  async rememberForm(form: Form): Promise<void> {
    await this.state.update(formKey, form);
  }

  async lastRequest(): Promise<RunRequest | undefined> {
    const { runRequestSchema } = await import('../model/run.ts');
    const parsed = runRequestSchema.safeParse(this.state.get(requestKey));
    return parsed.success ? parsed.data : undefined;
  }

  async rememberRequest(request: RunRequest): Promise<void> {
    await this.state.update(requestKey, request);
  }

  /** What was answered when something was recorded last. */
  async recording(): Promise<RecordMemory> {
    const { recordMemorySchema, firstRecordMemory } = await import('./flame/recordChoices.ts');
    const parsed = recordMemorySchema.safeParse(this.state.get(recordingKey));
    return parsed.success ? parsed.data : firstRecordMemory;
  }

  async rememberRecording(memory: RecordMemory): Promise<void> {
    await this.state.update(recordingKey, memory);
  }
}
