import { attempt } from '../../model/domain/attempt.ts';
import { secretName } from './redact.ts';

/** Shorter ones are words and figures of any text. */
const shortestSecret = 4;
/** Values that say nothing: what switches are set to. */
const plainValue = /^(?:true|false|null|none|undefined|yes|no|on|off|enabled|disabled|default|required|optional)$/i;
/** Ends like the name of a password, and is a shell's working folder. */
const workingFolder = /^(?:OLD)?PWD$/;
const urlPassword = /^[a-z][a-z0-9+.:-]*:\/\/[^/?#\s@:]*:([^/?#\s]+)@/i;
const oraclePassword = /^jdbc:oracle:[a-z]+:[^/@\s]+\/([^@\s]+)@/i;

/**
 * The values among variables, headers or options that their names call secret (`DB_PASSWORD`, `X-Api-Key`, `token`), and the passwords of those
 * that are addresses (`postgres://user:password@host/…`), each once.
 */
export function namedSecrets(named: Readonly<Record<string, string | undefined>>): string[] {
  const found = Object.entries(named).flatMap(([name, value = '']) => {
    if (workingFolder.test(name)) return [];
    const within = [urlPassword.exec(value)?.[1], oraclePassword.exec(value)?.[1]].flatMap((one) =>
      one === undefined ? [] : [one, decoded(one)],
    );
    // `Bearer …`: the value alone is the secret.
    return secretName.test(name) ? [value, value.replace(/^(?:bearer|basic|token)\s+/i, ''), ...within] : within;
  });
  return [...new Set(found.map((value) => value.trim()))].filter((value) => value.length >= shortestSecret && !plainValue.test(value));
}

/** The options of a command line by their names: `--db-password x`, `--token=x`, `-Dkey=x`, `NAME=x`. */
export function optionsOf(argv: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    argv.flatMap((argument, index): [string, string][] => {
      const assigned = /^-{0,2}([^=\s]+)=([\s\S]+)$/.exec(argument);
      if (assigned !== null) return [[assigned[1] ?? '', assigned[2] ?? '']];
      const next = argv[index + 1];
      return argument.startsWith('-') && next !== undefined && !next.startsWith('-') ? [[argument.replace(/^-+/, ''), next]] : [];
    }),
  );
}

/** With its %-escapes read, or as it is where they are no text. */
export function decoded(text: string): string {
  return attempt(() => decodeURIComponent(text), text);
}
