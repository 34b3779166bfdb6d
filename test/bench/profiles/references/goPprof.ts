import { type Reference, Sums } from '../corpus.ts';
import { run } from '../tools.ts';

const units = { ns: 'ns', bytes: 'B', count: 'count' } as const;
/** `flat flat% sum% cum cum% name`, of which flat is what a function has itself. */
const row = /^\s*(-?[\d.e+]+)[A-Za-z]*\s+-?[\d.]+%\s+-?[\d.]+%\s+-?[\d.e+]+[A-Za-z]*\s+-?[\d.]+%\s+(\S.*)$/;

/** What Go's own pprof says of a file. `made`: of another file than the one that is opened. */
export function goPprof(
  event: string,
  unit: keyof typeof units,
  made: (file: string) => Promise<string> = async (file) => file,
): Reference {
  return {
    by: 'pprof of Go',
    read: async (file) => {
      const all = ['-nodecount=1000000', '-nodefraction=0', '-edgefraction=0', '-symbolize=none'];
      const args = ['tool', 'pprof', '-top', ...all, `-unit=${units[unit]}`, `-sample_index=${event}`, await made(file)];
      const text = await run('go', args);
      const sums = new Sums();
      for (const line of text.split('\n')) {
        const [, flat, name] = row.exec(line) ?? [];
        if (flat !== undefined && name !== undefined) sums.add(name, Number(flat));
      }
      // What has no function of its own counts, too.
      const whole = /% of (-?[\d.e+]+)[A-Za-z]* total/.exec(text)?.[1];
      return { total: Number(whole), functions: sums.functions };
    },
  };
}
