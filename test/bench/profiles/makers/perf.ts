import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type CorpusFile, type Reference, Sums } from '../corpus.ts';
import { programsDir, run } from '../tools.ts';

const row = /^\s*[\d.]+%\s+(\d+)\s+\[[k.]\]\s+(\S.*)$/;

/** What `perf report` makes of the data from which `perf script` printed the file, which are next to it. */
const perfReport = (column: 'period' | 'sample' = 'period'): Reference => ({
  by: 'perf report',
  read: async (file) => {
    const data = path.join(path.dirname(file), 'perf.data');
    const args = ['report', '--stdio', '--force', '--no-children', '-g', 'none', '-F', `overhead,${column},symbol`, '-i', data];
    const sums = new Sums();
    for (const line of (await run('perf', args)).split('\n')) {
      const [, period, symbol] = row.exec(line) ?? [];
      if (period !== undefined && symbol !== undefined) sums.add(symbol.trim(), Number(period));
    }
    return sums;
  },
});

/** What perf records of a program, printed by `perf script`. */
function recorded(argv: readonly string[], options: readonly string[] = []): CorpusFile['make'] {
  return async (folder) => {
    const data = path.join(folder, 'perf.data');
    await run('perf', ['record', '-e', 'cpu-clock', '-F', '499', '-g', '-o', data, '--', ...argv], { cwd: folder });
    const file = path.join(folder, 'out.perf');
    writeFileSync(file, await run('perf', ['script', '--force', ...options, '-i', data], { cwd: folder }));
    return file;
  };
}

/** A function of JavaScript by its own name: perf has it as V8’s map tells, with its kind and its place. */
function ofMap(name: string): string {
  return /^(?:RegExp:\s*|(?:JS|Function|LazyCompile|Script|Eval|Builtin):\s*(?:o?[*~^+]['‘]?)?)(\S+)/.exec(name)?.[1] ?? name;
}

export const perfFiles: readonly CorpusFile[] = [
  {
    id: 'perf-node',
    format: 'perf script',
    program: 'perf 6.1 of Node 20, --perf-basic-prof',
    event: 'cpu',
    make: recorded([process.execPath, '--perf-basic-prof', '--interpreted-frames-native-stack', path.join(programsDir, 'work.cjs')]),
    reference: perfReport(),
    nameOf: ofMap,
  },
  {
    id: 'perf-node-fields',
    format: 'perf script',
    program: 'perf 6.1 of Node 20, with pid/tid in each line and no period',
    event: 'cpu',
    make: recorded(
      [process.execPath, '--perf-basic-prof', path.join(programsDir, 'work.cjs')],
      ['-F', 'comm,pid,tid,time,event,ip,sym,dso'],
    ),
    reference: perfReport('sample'),
    nameOf: ofMap,
  },
  {
    id: 'perf-python',
    format: 'perf script',
    program: 'perf 6.1 of Python 3.11, without maps',
    event: 'cpu',
    make: recorded(['python3', path.join(programsDir, 'work.py')]),
    reference: perfReport(),
    // Of what has no symbol the library is shown here, an address there.
    nameOf: (name) => (name === '' || /^\[[\w.-]+\]$/.test(name) ? '[unknown]' : name),
  },
];
