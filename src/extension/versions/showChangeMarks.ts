import type { RunRecord } from '../../model/domain/run.ts';
import { compareRecordings } from '../flame/flameCommands.ts';
import { workspaceDir } from '../kit/workspaceFiles.ts';
import type { Services } from '../services/services.ts';
import { changeMarks } from './changeMarks.ts';

/** Marks in the source what a run of two versions found line by line, where it found anything. */
export async function showChangeMarks(services: Services, run: RunRecord): Promise<void> {
  const folder = await workspaceDir();
  const recordings = run.result.kind === 'diff' ? (run.result.why?.recordings ?? null) : null;
  const open = recordings === null ? null : () => void compareRecordings(services, recordings.head, recordings.base);
  const source = folder === null ? null : changeMarks(run, folder.fsPath, open);
  if (source !== null) services.marks.show(source);
}
