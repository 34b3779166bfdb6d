import type { FindingOf } from '../../model/domain/detection.ts';
import { type FolderFiles, seenFrom } from './folderFiles.ts';

const undoing = /(?:^|[./_-])(?:down|undo|rollback|revert|drop)(?:[./_-]|$)|^U\d/i;
const folders =
  /(?:^|\/)(?:db|database|sql|schema|migrations?|initdb|docker-entrypoint-initdb\.d|prisma\/migrations\/[^/]+|db\/migration)\/[^/]+\.sql$/i;
const atTop = /^(?:init|schema|seed|tables?|create|database|db|dump|ddl|structure|setup)[\w.-]*\.sql$/i;

/**
 * The SQL files that make the tables, in the order of their names with schema before seed. Paths are relative to the folder that was searched, as
 * `benchside.json` wants them. Files that undo are left out; a migration tool that keeps its own table is not run here, so that this is never sure.
 */
export function sqlFinding(files: FolderFiles, folder: string): FindingOf<'sql'>[] {
  const found = files
    .under(folder)
    .filter((file) => {
      const seen = seenFrom(folder, file);
      return (folders.test(seen) || atTop.test(seen)) && !undoing.test(seen.split('/').at(-1) ?? '');
    })
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en', { numeric: true }));
  if (found.length === 0 || found.length > 200) return [];
  const [first = ''] = found;
  return [
    {
      part: 'sql',
      title: found.length === 1 ? `tables from ${first}` : `tables from ${found.length} SQL files, ${first} first`,
      because:
        found.length === 1
          ? 'it lies where schemas and migrations do; look whether it makes all tables'
          : 'they lie where schemas and migrations do; look whether this order is right',
      sure: false,
      files: found,
    },
  ];
}

function rank(file: string): number {
  const name = file.split('/').at(-1) ?? '';
  if (/seed|data|fixture|sample/i.test(name)) return 2;
  return /schema|init|create|tables/i.test(name) ? 0 : 1;
}
