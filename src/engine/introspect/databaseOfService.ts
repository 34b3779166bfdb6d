import { withOwner } from '../services/prepareDatabase.ts';
import type { DatabaseAddress } from '../services/serverUrl.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { databaseWants } from '../targets/launchTarget.ts';
import { type ParameterRows, type RowRanges, parameterRows } from './parameterRows.ts';

/** How many clients a database has, without Benchside’s own. */
export const otherClients = `SELECT count(*)::int AS clients FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> 'benchside'`;

/** Which numbers there are for the parameters of its routes, as its database has them. */
export function rowRanges(declared: DeclaredTarget, address: DatabaseAddress | null, signal: AbortSignal): RowRanges {
  const known = new Map<string, ParameterRows>();
  const wants = databaseWants(declared);
  const look = async (paths: readonly string[]): Promise<void> => {
    const open = [...new Set(paths)].filter((path) => path.includes('/:'));
    if (address === null || wants === null || open.length === 0) return;
    const found = await withOwner(address, wants, signal, (client) => parameterRows(client, open));
    for (const [name, range] of found) known.set(name, range);
  };
  return { known, look };
}

/** How many connections other clients than Benchside have to the database of a target. */
export async function connectionsTo(declared: DeclaredTarget, address: DatabaseAddress, signal: AbortSignal): Promise<number> {
  const wants = databaseWants(declared);
  if (wants === null) return 0;
  return withOwner(address, wants, signal, async (client) => {
    const { rows } = await client.query<{ clients: number }>(otherClients);
    return rows[0]?.clients ?? 0;
  });
}
