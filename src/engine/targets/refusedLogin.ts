import type { Target } from '../../model/domain/target.ts';

/** A role or a database that PostgreSQL says it does not let a client in as, or to. */
export interface RefusedLogin {
  what: 'role' | 'database';
  name: string;
}

// Source: the messages of PostgreSQL’s auth.c, postinit.c and miscinit.c. Without FATAL a statement names the role, and not a login.
const said: readonly [RegExp, RefusedLogin['what']][] = [
  [/password authentication failed for user "([^"\n]{1,63})"/, 'role'],
  [/FATAL:\s{1,3}role "([^"\n]{1,63})" (?:does not exist|is not permitted to log in)/, 'role'],
  [/\bdatabase "([^"\n]{1,63})" does not exist/, 'database'],
  [/\bpermission denied for database "([^"\n]{1,63})"/, 'database'],
];
const longestLine = 1_000;

/** Whom or what PostgreSQL refused last, as the output of a program says; null where it says nothing of it. */
export function refusedLogin(output: string): RefusedLogin | null {
  for (const line of output.split('\n').reverse())
    for (const [pattern, what] of said) {
      const [, name] = pattern.exec(line.slice(0, longestLine)) ?? [];
      if (name !== undefined) return { what, name };
    }
  return null;
}

export function refusedLoginWords({ what, name }: RefusedLogin): string {
  return what === 'role' ? `PostgreSQL did not let it in as the role “${name}”` : `PostgreSQL has no database “${name}” for it`;
}

/** What to declare of a target whose login was refused. */
export function refusedLoginCure({ what, name }: RefusedLogin, { postgres }: Pick<Target, 'postgres'>): string {
  const { url, jdbcUrl, r2dbcUrl, user, password, database } = postgres?.env ?? {};
  const given = [url ?? jdbcUrl ?? r2dbcUrl, ...(what === 'role' ? [user, password] : [database])].filter((one) => one !== undefined);
  const instead = given.length === 0 ? '' : `, and ${given.join(', ')} ${given.length === 1 ? 'does' : 'do'} not change it`;
  if (what === 'database')
    return `The name “${name}” is its own${instead}: call its database so ("database": ${JSON.stringify(name)} in "postgres" of benchside.json), or name the variable that holds it ("database" in "env" of "postgres").`;
  return `That role, or its password, is its own${instead}: name the variables that hold them ("user" and "password", or the whole address, in "env" of "postgres" of benchside.json). Where they are in its code or a file of its own, let it read them from variables, or use a server of yours that has the role (--postgres-url).`;
}
