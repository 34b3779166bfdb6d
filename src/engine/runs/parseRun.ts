import { type RunRecord, runRecordSchema, runSchemaVersion } from '../../model/domain/run.ts';
import { migrate } from './migrations.ts';

export type ParsedRun = { record: RunRecord } | { problem: 'damaged' | 'newer'; reason: string };

/** Reads the text of a `run.json` that lies in the folder `id`. Never throws: whatever the text is, it gives a record or a reason. */
export function parseRun(text: string, id: string): ParsedRun {
  try {
    return parse(text, id);
  } catch (error) {
    return damaged(`run.json cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parse(text: string, id: string): ParsedRun {
  if (text === '') return damaged('run.json is empty');
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return damaged('run.json is not JSON (cut off or overwritten)');
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return damaged('run.json is not an object');
  const fields = raw as Readonly<Record<string, unknown>>;
  const version = fields['schemaVersion'];
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) return damaged('run.json does not say its version');
  if (version > runSchemaVersion) {
    return {
      problem: 'newer',
      reason: `made by a newer version of Benchside (record version ${version}; this one reads up to ${runSchemaVersion})`,
    };
  }
  const parsed = runRecordSchema.safeParse(migrate(fields, version));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return damaged(
      issue === undefined
        ? 'run.json does not fit its schema'
        : `run.json, ${issue.path.map(String).join('.') || 'the whole'}: ${issue.message}`,
    );
  }
  if (parsed.data.id !== id) return damaged('run.json belongs to another run');
  return { record: parsed.data };
}

function damaged(reason: string): ParsedRun {
  return { problem: 'damaged', reason: reason.slice(0, 300) };
}
