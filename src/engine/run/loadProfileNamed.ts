import { failure } from '../../model/failure.ts';
import type { LoadProfile } from '../../model/loadProfile.ts';
import { findLoadProfile } from '../load/loadProfiles.ts';
import type { Declarations } from '../targets/catalog.ts';

/** The load profile of that name. When there is none, the reason may be that the workspace's file cannot be used: then that is said too. */
export function loadProfileNamed({ loadProfiles, problems }: Declarations, name: string): LoadProfile {
  try {
    return findLoadProfile(
      loadProfiles.map((one) => one.profile),
      name,
    );
  } catch (error) {
    const broken = problems[0];
    if (broken === undefined) throw error;
    throw failure('unknown-load-profile', `There is no load profile “${name}”. ${broken.message}`, broken.cure, broken.detail);
  }
}
