import path from 'node:path';
import type { CallTree } from '../../model/domain/callTree.ts';
import type { ProfileHead } from '../../model/domain/flame.ts';
import { largestTextBytes, readRegular } from '../files/boundedFile.ts';
import { readDoctorHint } from '../record/clinic/doctorHint.ts';
import { type DoctorHint, type RecorderId, type RecordingRecord, recordedRequests } from '../../model/domain/recording.ts';
import { openRecording } from './recordingFiles.ts';

/** What a recorder is called where people read it. */
const recorderNames: Readonly<Record<RecorderId, string>> = {
  'async-profiler': 'async-profiler',
  jfr: 'JDK Flight Recorder',
  v8: 'V8 inspector',
  'clinic-doctor': 'clinic doctor',
  'clinic-flame': 'clinic flame',
  'clinic-heap': 'clinic heap profiler',
  'clinic-bubbleprof': 'clinic bubbleprof',
};

/** A stored recording: its tree, and what its record says of it. */
export interface StoredProfile extends Pick<ProfileHead, 'format' | 'requests' | 'hint'> {
  tree: CallTree;
}

/**
 * Reads a stored recording; fails as `openRecording` does.
 *
 * @param folder absolute path of the folder that holds the files.
 * @param process pid of the only process that is wanted; null: all
 */
export async function readStored(folder: string, record: RecordingRecord, process: number | null = null): Promise<StoredProfile> {
  return {
    tree: await openRecording(folder, record, process),
    format: recorderNames[record.recorder],
    requests: recordedRequests(record.load, record.durationMs),
    hint: await hintOf(folder, record),
  };
}

/** What clinic's doctor thinks, where it made the recording. */
async function hintOf(folder: string, { recorder, files }: RecordingRecord): Promise<DoctorHint | null> {
  if (recorder !== 'clinic-doctor') return null;
  const file = files.find(({ format }) => format === 'clinic');
  return file === undefined ? null : readDoctorHint(await readRegular(path.join(folder, path.basename(file.name)), largestTextBytes));
}
