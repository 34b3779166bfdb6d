import type { LineTable, ProfileHead, ProfilePart } from '../../model/domain/flame.ts';
import type { RecordingRecord } from '../../model/domain/recording.ts';

/**
 * What a worker is to open: a file of any known format, or a stored recording with the folder of its files, of which `process` is the pid of the only one that
 * is wanted. Paths are absolute.
 */
export type ProfileInput =
  | { kind: 'file'; path: string }
  | { kind: 'recording'; folder: string; record: RecordingRecord; process?: number | null };

/** What can be asked of a worker that holds one recording. */
export interface ProfileQueries {
  open: { params: { profileId: string; input: ProfileInput; assetsDir: string }; result: ProfileHead };
  piece: { params: { part: ProfilePart; event: string | null; index: number }; result: { data: string; last: boolean } };
  frame: { params: { func: number }; result: { name: string; file: string; line: number; kind: string } };
  lines: { params: Record<string, never>; result: LineTable };
  export: { params: { format: string; event: string }; result: { data: string; suggestedName: string } };
}
export type ProfileQuery = keyof ProfileQueries;
