import { existsSync } from 'node:fs';
import path from 'node:path';
import type { CorpusFile, Reference } from '../corpus.ts';
import { each, jfrPrint } from '../references/jdkTools.ts';
import { profProcess } from '../references/nodeProf.ts';
import { speedscope } from '../references/speedscope.ts';

interface Found {
  file: string;
  format: string;
  program: string;
  event: string;
  reference: Reference;
}

const trace = 'performance trace (Chrome, Node)';

/** Files of others that are not kept here: their names in the folder, and what is known of them. */
const known: readonly Found[] = [
  { file: 'devtools-116-trace.json.gz', format: trace, program: 'Chrome 116, DevTools', event: 'cpu', reference: speedscope() },
  { file: 'devtools-141-trace.json', format: trace, program: 'Chrome 141, DevTools', event: 'cpu', reference: speedscope() },
  { file: 'devtools-69-trace-array.json.gz', format: trace, program: 'Chrome 69, DevTools', event: 'cpu', reference: speedscope() },
  { file: 'trace-cut-short.json', format: trace, program: 'speedscope’s samples', event: 'wall', reference: speedscope() },
  {
    file: 'old-tree-form.cpuprofile',
    format: 'V8 CPU profile, old form',
    program: 'Chrome before 2014',
    event: 'cpu',
    reference: speedscope(),
  },
  {
    file: 'isolate-v8.log.gz',
    format: 'V8 log (node --prof)',
    program: 'Node 8, --prof',
    event: 'cpu',
    reference: profProcess(async () => process.execPath),
  },
  { file: 'perf-script-with-pid.txt.gz', format: 'perf script', program: 'perf', event: 'cpu', reference: speedscope() },
  { file: 'firefox-63.json.gz', format: 'Firefox Profiler', program: 'Firefox 63', event: 'wall', reference: speedscope() },
  { file: 'collapsed-utf16-le.txt', format: 'Collapsed stacks', program: 'PowerShell', event: 'samples', reference: speedscope() },
  {
    file: 'collapsed-with-other-lines.txt',
    format: 'Collapsed stacks',
    program: 'speedscope’s samples',
    event: 'samples',
    reference: speedscope(),
  },
  {
    file: 'cpu-and-wall-of-old-async-profiler.jfr.gz',
    format: 'Java Flight Recorder',
    program: 'async-profiler before 3.0, cpu with wall: wall time',
    event: 'wall',
    reference: jfrPrint(['jdk.ExecutionSample'], each(200e6)),
  },
];

/** The files of such a folder, as far as they are known; none without one. */
export function foundFiles(folder: string | undefined): CorpusFile[] {
  return known.map(({ file, ...one }) => ({
    ...one,
    id: `found-${file}`,
    make: async () => {
      const there = path.join(folder ?? '', file);
      if (folder === undefined || !existsSync(there)) throw new Error('BENCHSIDE_PROFILE_FILES names no folder with it.');
      return there;
    },
  }));
}
