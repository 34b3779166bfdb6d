import * as z from 'zod';
import { administer } from './databaseOwner.ts';
import type { DatabaseAddress } from './serverUrl.ts';

const sqlRemarkSchema = z.object({
  file: z.string(),
  kind: z.enum(['roles', 'everything', 'role-changed', 'role-left', 'role-kept']),
  reason: z.string().describe('the words of the server, or the name of the role'),
  statement: z.string().describe('what was refused, shortened; empty where it is not known'),
});
/** What was done otherwise than an SQL file says, or with more rights than its app has. */
export type SqlRemark = z.infer<typeof sqlRemarkSchema>;

const table = `CREATE TABLE IF NOT EXISTS benchside_remarks (database text NOT NULL, remark jsonb NOT NULL)`;

/** Keeps what was remarked on as a file was applied once, where no app can change it: it holds for each run on what the file made. */
export async function keepRemarks(
  address: DatabaseAddress,
  database: string,
  remarks: readonly SqlRemark[],
  signal?: AbortSignal,
): Promise<void> {
  if (remarks.length === 0) return;
  await administer(
    address,
    async (client) => {
      await client.query(table);
      for (const remark of remarks) await client.query('INSERT INTO benchside_remarks VALUES ($1, $2)', [database, JSON.stringify(remark)]);
    },
    signal,
  );
}

/** A database that is made anew begins without. */
export async function forgetRemarks(address: DatabaseAddress, database: string, signal?: AbortSignal): Promise<void> {
  await administer(
    address,
    async (client) => {
      await client.query(table);
      await client.query('DELETE FROM benchside_remarks WHERE database = $1', [database]);
    },
    signal,
  );
}

export async function readRemarks(address: DatabaseAddress, database: string, signal?: AbortSignal): Promise<SqlRemark[]> {
  return administer(
    address,
    async (client) => {
      await client.query(table);
      const { rows } = await client.query<{ remark: unknown }>('SELECT remark FROM benchside_remarks WHERE database = $1', [database]);
      return rows.flatMap(({ remark }) => sqlRemarkSchema.safeParse(remark).data ?? []);
    },
    signal,
  );
}

/** A remark for a person. `alone`: no app was connected while the file was applied. */
export function remarkSentence({ file, kind, reason, statement }: SqlRemark, alone: boolean): string {
  const which = statement === '' ? reason : `“${statement}”: ${reason}`;
  switch (kind) {
    case 'roles':
    case 'everything': {
      const given = kind === 'roles' ? 'the right to make roles and databases' : 'the rights of a superuser';
      const app = alone ? 'the app has no such right' : 'the app’s role has them, too, while the file is applied';
      return `${file} needs more than to own its database (${which}). It was applied with ${given}; ${app}.`;
    }
    case 'role-changed':
      return `The role ${reason} was there already, since a role belongs to the whole server: ${file} has changed it in place of making it, also for other databases.`;
    case 'role-left':
      return `The role ${reason} was there already, since a role belongs to the whole server: ${file} was applied without making it.`;
    case 'role-kept':
      return `The role ${reason} is used by another database of the server: ${file} was applied without dropping it.`;
  }
}
