import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import { type LoadProfile, loadProfileSchema } from '../../model/domain/loadProfile.ts';
import { largestTextBytes, readBounded } from '../files/boundedFile.ts';

/**
 * The load profiles in `directory`/*.json, sorted by name. Fails with `load-profile-invalid`, which names the file and the field, and with
 * `load-profiles-missing` when the folder cannot be read.
 */
export async function readLoadProfiles(directory: string): Promise<LoadProfile[]> {
  const files = await readdir(directory).catch((error: unknown) => {
    throw failure(
      'load-profiles-missing',
      `The load profiles in ${directory} could not be read.`,
      'Install Benchside again.',
      String(error),
    );
  });
  const profiles = new Map<string, LoadProfile>();
  for (const file of files.filter((name) => name.endsWith('.json')).sort()) {
    const fullPath = path.join(directory, file);
    const profile = parseLoadProfile((await readBounded(fullPath, { largestBytes: largestTextBytes })).toString('utf8'), fullPath);
    if (profiles.has(profile.name)) throw invalid(fullPath, `name: ${JSON.stringify(profile.name)} is already the name of another profile`);
    profiles.set(profile.name, profile);
  }
  return [...profiles.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** One load profile from the text of `file`; fails with `load-profile-invalid`, which names the file and the field. */
export function parseLoadProfile(text: string, file: string): LoadProfile {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw invalid(file, error instanceof Error ? error.message : String(error));
  }
  const profile = loadProfileSchema.safeParse(document);
  if (profile.success) return profile.data;
  throw invalid(
    file,
    ...profile.error.issues.map((issue) => (issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`)),
  );
}

/** The profile of that name; fails with `unknown-load-profile`, and the cure lists the existing ones. */
export function findLoadProfile(profiles: readonly LoadProfile[], name: string): LoadProfile {
  const profile = profiles.find((candidate) => candidate.name === name);
  if (profile !== undefined) return profile;
  throw failure(
    'unknown-load-profile',
    `There is no load profile ${JSON.stringify(name)}.`,
    `Use one of ${profiles.map((candidate) => candidate.name).join(', ')}.`,
  );
}

function invalid(file: string, ...problems: string[]): Error {
  return failure(
    'load-profile-invalid',
    `Load profile ${file}: ${problems[0] ?? 'it is not valid'}.`,
    'Correct this field in the file.',
    problems.join('\n'),
  );
}
