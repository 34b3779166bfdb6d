import type { Detection } from '../../model/domain/detection.ts';
import type { HeapCensus } from '../calltree/heapCensus.ts';
import type { readSavedRequests } from '../run/tuning/savedRequestFiles.ts';
import type { LoadedWorkspaceFile } from '../targets/workspaceFile.ts';
import type { WorkspaceProfiles } from '../targets/workspaceProfiles.ts';
import type { readTraffic } from '../traffic/readTraffic.ts';
import type { TrafficWishes } from '../traffic/trafficDraft.ts';

/** What a thread can read. Paths are absolute. */
export interface Readings {
  discover: { params: { dir: string; command?: readonly string[] }; result: Detection };
  workspaceFile: { params: { file: string }; result: LoadedWorkspaceFile | null };
  workspaceProfiles: { params: { dir: string }; result: WorkspaceProfiles };
  traffic: { params: { files: readonly string[]; wishes: TrafficWishes }; result: ReturnType<typeof readTraffic> };
  heapCensus: { params: { files: readonly string[]; least: number }; result: HeapCensus };
  savedRequests: { params: { assetsDir: string; workspaceDir: string | null }; result: Awaited<ReturnType<typeof readSavedRequests>> };
}
export type Reading = keyof Readings;
