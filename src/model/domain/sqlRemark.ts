import * as z from 'zod';

/** What was done otherwise than an SQL file says, or with more rights than its app has. */
export const sqlRemarkSchema = z.object({
  file: z.string(),
  kind: z.enum(['roles', 'everything', 'role-changed', 'role-left', 'role-kept', 'role-missing', 'database-left', 'at-once', 'psql-left']),
  reason: z.string().describe('the words of the server, the name of the role, or what was left out'),
  statement: z.string().describe('what was refused, shortened; empty where it is not known'),
});
export type SqlRemark = z.infer<typeof sqlRemarkSchema>;

export const sqlRemarkFields = { ...sqlRemarkSchema.shape, alone: z.boolean().describe('no app was connected while the file was applied') };

export function sqlRemarkText({ file, kind, reason, statement, alone }: SqlRemark & { alone: boolean }): string {
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
    case 'role-missing':
      return `There is no role ${reason} on this server: what ${file} gives to it (${statement}) was left out, and belongs to the app.`;
    case 'database-left':
      return `The target has a database of its own: ${file} was applied there, without “${reason}”.`;
    case 'at-once':
      return `${file} was applied in one transaction, and so without ${reason} (${statement}).`;
    case 'psql-left':
      return `${file} was applied without its commands of psql: ${reason}.`;
  }
}
