import type { FindingOf } from '../../model/domain/detection.ts';
import { type FolderFiles, seenFrom, within } from './folderFiles.ts';
import { around } from './nodeManifest.ts';

const undoing = /(?:^|[./_-])(?:down|undo|rollback|revert|drop)(?:[./_-]|$)|^U\d/i;
const folders =
  /(?:^|\/)(?:db|database|sql|schema|migrations?|initdb|docker-entrypoint-initdb\.d|prisma\/migrations\/[^/]+|db\/migration)\/[^/]+\.sql$/i;
const byName = /^(?:init|schema|seed|tables?|create|database|db|dump|ddl|structure|setup)[\w.-]*\.sql$/i;

const makesTables = /\bcreate\s+table\b/i;
/** For tests and readers; and what lies on the class path of a JVM, which its framework applies. */
const ofOthers = /(?:^|\/)(?:tests?|__tests__|spec|e2e|fixtures?|docs?|examples?|src\/main\/resources)\//i;

const manifests = ['package.json', 'pom.xml', 'build.gradle', 'build.gradle.kts'];

/**
 * The SQL files that make the tables: its own, those of the packages that it uses, or those of a folder around it that belong to no other package there. They come in the order of their names with
 * schema before seed. Paths are relative to the folder that was searched, as `benchside.json` wants them. Files that undo are left out; a migration tool that
 * keeps its own table is not run here, so that this is never sure.
 */
export function sqlFinding(files: FolderFiles, folder: string, used: readonly string[] = []): FindingOf<'sql'>[] {
  const own = [folder, ...used];
  const found = [...own, ...around(folder).filter((home) => !own.includes(home))]
    .map((home) => filesOf(files, home, own.includes(home)))
    .find((some) => some.length > 0);
  if (found === undefined || found.length > 200) return [];
  const [first = ''] = found;
  return [
    {
      part: 'sql',
      title: found.length === 1 ? `tables from ${first}` : `tables from ${found.length} SQL files, ${first} first`,
      because:
        found.length === 1
          ? 'it lies, or is called, as what makes tables; look whether it makes all of them'
          : 'they lie, or are called, as what makes tables; look whether this order is right',
      sure: false,
      files: found,
    },
  ];
}

function filesOf(files: FolderFiles, home: string, isWhole: boolean): string[] {
  const all = files.under(home).filter((file) => {
    const seen = seenFrom(home, file);
    return /\.sql$/i.test(file) && !undoing.test(seen.split('/').at(-1) ?? '') && (isWhole || !isOfPackage(files, home, seen));
  });
  const usual = all.filter((file) => folders.test(seenFrom(home, file)) || byName.test(seenFrom(home, file)));
  // Next to the code that uses them, as `server/database.sql`.
  const isBesideCode = (file: string): boolean =>
    byName.test(file.split('/').at(-1) ?? '') && !ofOthers.test(seenFrom(home, file)) && makesTables.test(files.text(file) ?? '');
  return (usual.length > 0 || !isWhole ? usual : all.filter(isBesideCode)).sort(
    (a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en', { numeric: true }),
  );
}

/** Whether a file that is seen from a folder lies in a package below it. */
function isOfPackage(files: FolderFiles, home: string, seen: string): boolean {
  const parts = seen.split('/').slice(0, -1);
  return parts.some((_, index) =>
    manifests.some((manifest) => files.has(within(home, `${parts.slice(0, index + 1).join('/')}/${manifest}`))),
  );
}

function rank(file: string): number {
  const name = file.split('/').at(-1) ?? '';
  if (/seed|data|fixture|sample/i.test(name)) return 2;
  return /schema|init|create|tables/i.test(name) ? 0 : 1;
}
