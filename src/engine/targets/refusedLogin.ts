import type { Target } from '../../model/domain/target.ts';

/** A role or a database that PostgreSQL says it does not let a client in as, or to; or the way to sign in that a client does not know. */
export interface RefusedLogin {
  what: 'role' | 'database' | 'method';
  name: string;
}

// Source: the messages of PostgreSQL’s auth.c, postinit.c and miscinit.c. Without FATAL a statement names the role, and not a login.
const said: readonly [RegExp, RefusedLogin['what']][] = [
  [/password authentication failed for user "([^"\n]{1,63})"/, 'role'],
  [/FATAL:\s{1,3}role "([^"\n]{1,63})" (?:does not exist|is not permitted to log in)/, 'role'],
  [/\bdatabase "([^"\n]{1,63})" does not exist/, 'database'],
  [/\bpermission denied for database "([^"\n]{1,63})"/, 'database'],
  // Number 10 is SCRAM. In the words of pgjdbc until 42.1, libpq until 9.6, lib/pq, Npgsql and pg until 7.
  [
    /\b(?:authentication (?:type|method) (10) (?:is )?not supported|(SCRAM) authentication requires libpq version 10|unknown authentication response: (10)\b|authentication method not supported \(received: (10)\)|unknown (authenticationOk) message type)/i,
    'method',
  ],
];
const longestLine = 1_000;

/** Whom or what PostgreSQL refused last, as the output of a program says; null where it says nothing of it. */
export function refusedLogin(output: string): RefusedLogin | null {
  for (const line of output.split('\n').reverse())
    for (const [pattern, what] of said) {
      const name = pattern
        .exec(line.slice(0, longestLine))
        ?.slice(1)
        .find((one) => one !== undefined);
      if (name !== undefined) return { what, name: what === 'method' ? 'SCRAM' : name };
    }
  return null;
}

export function refusedLoginWords({ what, name }: RefusedLogin): string {
  if (what === 'method') return `its driver of PostgreSQL is too old to sign in (by ${name})`;
  return what === 'role' ? `PostgreSQL did not let it in as the role “${name}”` : `PostgreSQL has no database “${name}” for it`;
}

/** What to declare of a target whose login was refused. */
export function refusedLoginCure({ what, name }: RefusedLogin, { postgres }: Pick<Target, 'postgres'>): string {
  if (what === 'method')
    return `Let it use a later driver, which knows ${name}: pgjdbc from 42.2, pg from 8, Npgsql from 3.2.7, or a program with libpq 10. A server of yours that lets its role in by md5 does, too (--postgres-url).`;
  const { url, jdbcUrl, r2dbcUrl, user, password, database } = postgres?.env ?? {};
  const given = [url ?? jdbcUrl ?? r2dbcUrl, ...(what === 'role' ? [user, password] : [database])].filter((one) => one !== undefined);
  const instead = given.length === 0 ? '' : `, and ${given.join(', ')} ${given.length === 1 ? 'does' : 'do'} not change it`;
  if (what === 'database')
    return `The name “${name}” is its own${instead}: call its database so ("database": ${JSON.stringify(name)} in "postgres" of benchside.json), or name the variable that holds it ("database" in "env" of "postgres").`;
  return `That role, or its password, is its own${instead}: name the variables that hold them ("user" and "password", or the whole address, in "env" of "postgres" of benchside.json). Where they are in its code or a file of its own, let it read them from variables, or use a server of yours that has the role (--postgres-url).`;
}
