import type { PostgresRelease } from '../../model/domain/machineFacts.ts';
import table from './postgresReleases.json' with { type: 'json' };

/** By major version, the newest minor release that was known when this version of Benchside was built. */
const newestMinor = new Map(Object.entries(table.newest));

/** How a release compares with the newest one of its major version; null where nothing is known of it, as of a major version that came later. */
export function judgePostgresRelease(version: string): PostgresRelease | null {
  const match = /^(\d+)\.(\d+)$/.exec(version);
  if (match === null) return null;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  if (major <= table.unsupported) return { kind: 'unsupported' };
  const newest = newestMinor.get(String(major));
  if (newest === undefined) return null;
  return minor >= newest ? { kind: 'newest' } : { kind: 'behind', newest: `${major}.${newest}`, releases: newest - minor };
}

/** When the newest releases that are known here came out: "2026-11-12". */
export const releasesKnownOn = table.released;
