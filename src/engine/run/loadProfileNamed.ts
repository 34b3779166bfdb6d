import { failure, FailureError } from '../../model/domain/failure.ts';
import type { LoadProfile } from '../../model/domain/loadProfile.ts';
import { requireVariables } from '../load/scenario/environmentHoles.ts';
import { findLoadProfile } from '../load/loadProfiles.ts';
import type { Declarations } from '../targets/catalog.ts';

/**
 * The load profile of that name, or in that file of the folder `profiles`, whose variables of the environment are set. When there is none, the reason may be
 * that the workspace's file cannot be used: the failure then includes that.
 */
export function loadProfileNamed({ loadProfiles, problems }: Declarations, name: string): LoadProfile {
  const inFile = loadProfiles.find(({ file }) => file === name.replace(/^\.\//, ''))?.profile;
  try {
    const profiles = loadProfiles.map(({ profile }) => profile);
    const found = inFile ?? findLoadProfile(profiles, name);
    requireVariables(found.roles ?? []);
    return found;
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.code !== 'unknown-load-profile') throw error;
    const broken = problems[0];
    if (broken === undefined) throw error;
    throw failure('unknown-load-profile', `There is no load profile “${name}”. ${broken.message}`, broken.cure, broken.detail);
  }
}
