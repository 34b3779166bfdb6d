import { refusedLogin, refusedLoginWords } from '../targets/refusedLogin.ts';

const frame = /^\s{0,20}(?:at\s\S|\.{3} \d{1,6} (?:common frames omitted|more)\b)/;

const refused = /refused/i;
/** As drivers write it: `Connection to localhost:5432`, `refused: localhost/127.0.0.1:5432`, `dial tcp [::1]:5432`, `"localhost" (::1), port 5432`. */
const places = [
  /(?:\b(?:connect(?:ion|ing|ed)? to|dial \w{2,9})|refused:?) (\[[\da-f:]{2,45}\]|[a-z\d][\w.-]{0,200})(?:\/[\d.:a-f]{2,45})?:(\d{2,5})\b/i,
  /"([\w.-]{1,200})"[^\n]{0,60}, port (\d{2,5})\b/,
];

/** The host and port that refused a connection, as the last line that names one says; null where none does. */
export function refusedPlace(output: string): string | null {
  for (const line of output.split('\n').reverse()) {
    if (!refused.test(line)) continue;
    for (const place of places) {
      const [, host, port] = place.exec(line) ?? [];
      if (host !== undefined && port !== undefined) return `${host}:${port}`;
    }
  }
  return null;
}

/** With what shells exit where they do not find a program. */
export const commandNotFound = 127;
// Source: what dash, busybox, bash and zsh print then.
const unknownProgram =
  /^[^\s:]{0,200}sh:(?: ?(?:line )?\d{1,6}:)? (?:([^\s:]{1,200}): (?:command )?not found|command not found: (\S{1,200}))$/;

/** The program that a shell did not find, as the last line that names one says; null where none does. */
export function missingProgram(output: string): string | null {
  for (const line of output.split('\n').reverse()) {
    const [, before, after] = unknownProgram.exec(line.trimEnd()) ?? [];
    if ((before ?? after) !== undefined) return before ?? after ?? null;
  }
  return null;
}

/** What kept a program from its database, as its output says, as a clause; null where it says nothing of that. */
export function refusedPhrase(output: string): string | null {
  const login = refusedLogin(output);
  if (login !== null) return refusedLoginWords(login);
  const place = refusedPlace(output);
  return place === null ? null : `${place} refused a connection`;
}

/** The end of what a program printed, with the first frame of each trace: the lines between traces say what is wrong. */
export function withoutFrames(output: string, most: number): string {
  const lines = output.split('\n');
  return lines
    .filter((line, index) => !frame.test(line) || (/^\s*at/.test(line) && !frame.test(lines[index - 1] ?? '')))
    .slice(-most)
    .join('\n');
}

/** `Error: …`, `[ERROR] …`, `QueryFailedError: …` at the beginning of a line. */
const error = /^\W{0,10}(?:\w{1,80}(?:Error|Exception)|error|fatal)\b/i;
const longestError = 200;

/** The last line with which a program said what is wrong, as a sentence; none where no line begins so. */
export function errorSaid(output: string): string[] {
  const line = output
    .split('\n')
    .map((one) => one.trim())
    .findLast((one) => error.test(one));
  if (line === undefined) return [];
  return [`It said: “${line.length > longestError ? `${line.slice(0, longestError)}…` : line}”.`];
}
