import { type SqlRemark, sqlRemarkSchema } from '../../model/domain/sqlRemark.ts';
import { administer } from './databaseOwner.ts';
import type { DatabaseAddress } from './serverUrl.ts';

const table = `CREATE TABLE IF NOT EXISTS benchside_remarks (database text NOT NULL, remark jsonb NOT NULL)`;

/** Keeps what was remarked on as a file was applied once, where no app can change it: it holds for each run on what the file made. */
export async function keepRemarks(
  address: DatabaseAddress,
  database: string,
  remarks: readonly SqlRemark[],
  signal?: AbortSignal,
): Promise<void> {
  if (remarks.length === 0) return;
  await administer(address, signal, async (client) => {
    await client.query(table);
    for (const remark of remarks) await client.query('INSERT INTO benchside_remarks VALUES ($1, $2)', [database, JSON.stringify(remark)]);
  });
}

/** A database that is made again begins without. */
export async function forgetRemarks(address: DatabaseAddress, database: string, signal?: AbortSignal): Promise<void> {
  await administer(address, signal, async (client) => {
    await client.query(table);
    await client.query('DELETE FROM benchside_remarks WHERE database = $1', [database]);
  });
}

export async function readRemarks(address: DatabaseAddress, database: string, signal?: AbortSignal): Promise<SqlRemark[]> {
  return administer(address, signal, async (client) => {
    await client.query(table);
    const { rows } = await client.query<{ remark: unknown }>('SELECT remark FROM benchside_remarks WHERE database = $1', [database]);
    return rows.flatMap(({ remark }) => sqlRemarkSchema.safeParse(remark).data ?? []);
  });
}
