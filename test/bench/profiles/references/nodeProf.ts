import { type Reference, Sums } from '../corpus.ts';
import { run } from '../tools.ts';

const line = /^\s*(\d+)\s+[\d.]+%\s+(?:[\d.]+%)?\s+(\S.*)$/;

/** What Node's own `--prof-process` counts: ticks in all, and those of functions of JavaScript. `made`: of a file next to the one that is opened. */
export function profProcess(node: () => Promise<string>, made: (file: string) => Promise<string> = async (file) => file): Reference {
  return {
    by: 'node --prof-process',
    read: async (file) => {
      const text = await run(await node(), ['--prof-process', await made(file)]);
      const sums = new Sums();
      for (const one of /\n \[JavaScript\]:\n([\s\S]*?)\n\s*\n/.exec(text)?.[1]?.split('\n') ?? []) {
        const [, ticks, name] = line.exec(one) ?? [];
        const called = /^(?:RegExp: |(?:JS|Function|LazyCompile|Script|Eval|Builtin): (?:o?[*~^+]'?)?)"?([^\s"]+)/.exec(name ?? '')?.[1];
        if (ticks !== undefined && called !== undefined) sums.add(called, Number(ticks));
      }
      return { total: Number(/\((\d+) ticks/.exec(text)?.[1]), functions: sums.functions };
    },
  };
}
