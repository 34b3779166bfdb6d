/** Output of `ps` for these arguments; null when it cannot be had. */
type RunPs = (args: readonly string[]) => string | null;

/**
 * When a process was started, in seconds since 1970, by `ps -o lstart=`: for macOS, which has no /proc. `zombie`: it has ended and was not collected; `none`:
 * there is no such process; null: not known.
 */
export function startTimeByPs(pid: number, run: RunPs): string | 'zombie' | 'none' | null {
  const output = run(['-o', 'state=,lstart=', '-p', String(pid)]);
  if (output === null) return null;
  const line = output.trim();
  if (line === '') return 'none';
  const [state, ...words] = line.split(/\s+/);
  if (state?.startsWith('Z') === true) return 'zombie';
  // "Sun Nov 22 21:05:47 2026", under other settings "Sun 22 Nov 21:05:47 2026": the name of the day is of no use.
  const startMs = Date.parse(`${words.slice(1).join(' ')} UTC`);
  return Number.isNaN(startMs) ? null : String(startMs / 1000);
}
