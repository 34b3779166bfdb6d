import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Failure, toFailure } from '../../model/domain/failure.ts';
import type { LoadProfile } from '../../model/domain/loadProfile.ts';
import { largestTextBytes, readBoundedText } from '../files/boundedFile.ts';
import { parsedJson } from '../files/parsedJson.ts';
import { parseLoadProfile } from '../load/loadProfiles.ts';

/** Where load profiles of a workspace are, in addition to those that its benchside.json declares. */
const folderName = 'profiles';
const mostFiles = 100;

/** The load profiles in the folder `profiles` of a workspace, each with its file, and those that cannot be used. */
export interface WorkspaceProfiles {
  profiles: { profile: LoadProfile; file: string }[];
  problems: Failure[];
}

/** The files that may be load profiles, with a key that changes with the file. Empty where there is none. */
export function profileFiles(workspaceDir: string): { file: string; key: string }[] {
  try {
    return readdirSync(path.join(workspaceDir, folderName))
      .filter((name) => name.endsWith('.json'))
      .sort()
      .slice(0, mostFiles)
      .flatMap((name) => {
        const file = path.join(workspaceDir, folderName, name);
        const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
        return stats?.isFile() === true ? [{ file, key: [name, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join() }] : [];
      });
  } catch {
    return [];
  }
}

/** Reads them. A file that has neither users nor requests in it belongs to another tool, and is no problem. */
export function readWorkspaceProfiles(workspaceDir: string): WorkspaceProfiles {
  const found: WorkspaceProfiles = { profiles: [], problems: [] };
  for (const { file } of profileFiles(workspaceDir)) {
    try {
      const text = readBoundedText(file, { largestBytes: largestTextBytes, within: workspaceDir });
      if (!isMeant(text)) continue;
      const name = `${folderName}/${path.basename(file)}`;
      found.profiles.push({ profile: parseLoadProfile(text, name), file: name });
    } catch (error) {
      found.problems.push(toFailure(error));
    }
  }
  return found;
}

function isMeant(text: string): boolean {
  const value = parsedJson(text);
  if (value === undefined) return /"connections"/.test(text);
  return typeof value === 'object' && value !== null && 'connections' in value && 'name' in value;
}
