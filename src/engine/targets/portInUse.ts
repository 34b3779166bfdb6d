import { readSmallFile } from '../supervise/smallFile.ts';
import { answererOf } from './listener.ts';

/** Words with which programs say that another one listens where they want to. */
const words = /EADDRINUSE|address already in use|BindException|port \d{1,5} (?:is |was )?(?:already )?in use/i;
/** Fewer digits are those of a time. */
const number = /(?:\bport[ :=]{1,3}|:)(\d{3,5})\b/gi;
const longestLine = 500;

export function saysPortInUse(output: string): boolean {
  return words.test(output);
}

/** The port that the output of a program says is in use; null where it names none. */
export function portInUse(output: string): number | null {
  for (const line of output.split('\n').reverse()) {
    const said = line.slice(0, longestLine);
    const ports = words.test(said) ? [...said.matchAll(number)].map(([, port]) => Number(port)) : [];
    const last = ports.findLast((port) => port > 0 && port < 65_536);
    if (last !== undefined) return last;
  }
  return null;
}

/** The program that answers on a port of 127.0.0.1, with its pid where the system names it. */
export function programOn(port: number): string {
  const pid = answererOf(port)?.pid ?? null;
  const name = pid === null ? '' : (readSmallFile(`/proc/${pid}/comm`) ?? '').trim();
  return name === '' ? 'another program' : `${name} (process ${pid})`;
}
