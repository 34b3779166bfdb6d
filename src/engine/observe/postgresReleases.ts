import table from './postgresReleases.json' with { type: 'json' };

/** PostgreSQL's releases that were known when this version of Benchside was built. */
export interface PostgresReleases {
  /** The day of the newest minor releases, which come for all major versions at once. */
  released: string;
  /** By major version, its newest minor one. */
  newest: Readonly<Record<string, number>>;
  /** This major version and all before it no longer get fixes. */
  unsupported: number;
}

export type ReleaseFinding = { kind: 'newest' } | { kind: 'behind'; newest: string; releases: number } | { kind: 'unsupported' };

/** How a release compares with the newest one of its major version; null where nothing is known of it, as of a major version that came later. */
export function judgePostgresRelease(version: string, releases: PostgresReleases = table): ReleaseFinding | null {
  const match = /^(\d+)\.(\d+)$/.exec(version);
  if (match === null) return null;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  if (major <= releases.unsupported) return { kind: 'unsupported' };
  const newest = releases.newest[String(major)];
  if (newest === undefined) return null;
  return minor >= newest ? { kind: 'newest' } : { kind: 'behind', newest: `${major}.${newest}`, releases: newest - minor };
}

/** "12 November 2026", of the newest releases that are known here. */
export function newestReleaseDay({ released }: PostgresReleases = table): string {
  return new Date(`${released}T00:00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}
