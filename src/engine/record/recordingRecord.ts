import path from 'node:path';
import type { RecordingNote } from '../../model/domain/recordingNoteKinds.ts';
import type { RecordingCost, RecordingRecord } from '../../model/domain/recording.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import { type DeclaredTarget, workingDirectory } from '../targets/catalog.ts';
import type { RecordedWindow } from './recordWindow.ts';
import type { Recorder } from './recorder.ts';
import { timedId } from '../files/storeFolder.ts';

/** The subject of a recording, in addition to what the recorder knows itself. */
export type RecordedSubject = Pick<
  RecordingRecord,
  'title' | 'runtime' | 'pid' | 'command' | 'target' | 'trialKey' | 'settings' | 'sourceRoots' | 'ranIn'
>;

/** A target that ran with these settings as the subject of a recording. */
export function targetSubject(
  { declared, settings }: { declared: DeclaredTarget; settings: SettingValues },
  { argv, ...own }: Pick<RecordedSubject, 'title' | 'pid' | 'trialKey'> & { argv: readonly string[] },
): RecordedSubject {
  const { target, copied } = declared;
  return {
    ...own,
    runtime: target.runtime,
    settings,
    target: target.id,
    command: argv.join(' '),
    sourceRoots: sourceRootsOf(declared),
    ...(copied === undefined ? {} : { ranIn: copied }),
  };
}

/** The record of a finished window. Its files are named for `prefix`, so that several recordings may lie in one folder. */
export function recordingRecord(
  window: RecordedWindow,
  subject: RecordedSubject,
  recorder: Pick<Recorder, 'id'>,
  { prefix, cost, notes }: { prefix: string; cost: RecordingCost | null; notes: readonly RecordingNote[] },
): { record: RecordingRecord; files: { name: string; bytes: Uint8Array }[] } {
  const files = window.files.map((file) => ({ ...file, name: `${prefix}${path.basename(file.name)}` }));
  return {
    record: {
      schemaVersion: 1,
      id: timedId(),
      ...subject,
      recorder: recorder.id,
      recorderVersion: window.recorderVersion,
      runtimeVersion: window.runtimeVersion,
      events: window.events,
      startedAt: window.startedAt.toISOString(),
      durationMs: window.durationMs,
      load: window.load,
      cost,
      ...(window.cpu == null ? {} : { cpu: window.cpu }),
      ...(window.classPath === undefined ? {} : { classPath: window.classPath }),
      notes: [...notes, ...window.notes],
      files: files.map(({ bytes: _bytes, ...file }) => file),
    },
    files,
  };
}

/** Where the sources of a target are looked for: its folder, and the folder of the file that declares it. The lab's are made of the samples next to it. */
function sourceRootsOf(declared: DeclaredTarget): string[] {
  const { target, origin, copied } = declared;
  if (copied !== undefined)
    return sourceRootsOf({ target, origin, baseDir: path.join(copied.of, path.relative(copied.copy, declared.baseDir)) });
  const beside = declared.origin === 'lab' ? [path.dirname(declared.baseDir)] : [];
  return [...new Set([workingDirectory(declared), declared.baseDir, ...beside])];
}
