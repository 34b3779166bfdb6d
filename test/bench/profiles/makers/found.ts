import { existsSync } from 'node:fs';
import path from 'node:path';
import type { CorpusFile, Reference } from '../corpus.ts';
import { jfrPrint } from '../references/jdkTools.ts';
import { profProcess } from '../references/nodeProf.ts';
import { speedscope } from '../references/speedscope.ts';
import { unpacked } from '../tools.ts';

interface Found {
  file: string;
  format: string;
  program: string;
  event: string;
  reference: Reference;
  nameOf?: (name: string) => string;
  differs?: string;
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
    differs:
      'Its last of 29 samples, 2.5 % of the time, has an end of its own in the file (30 times for 29 samples). speedscope gives it no time at all.',
  },
  {
    file: 'isolate-v8.log.gz',
    format: 'V8 log (node --prof)',
    program: 'Node 8, --prof',
    event: 'cpu',
    reference: profProcess(async () => process.execPath, unpacked),
  },
  {
    file: 'perf-script-with-pid.txt.gz',
    format: 'perf script',
    program: 'perf, of which no period is told',
    event: 'cpu',
    reference: speedscope(),
    nameOf: ofMangled,
    differs:
      'The file tells no period of its samples, so that they are counted here. speedscope gives each the time until the next one, in which the thread may have waited. The shares of all functions agree.',
  },
  {
    file: 'firefox-63.json.gz',
    format: 'Firefox Profiler',
    program: 'Firefox 63',
    event: 'wall',
    reference: speedscope(),
    differs:
      'speedscope leaves out the code of Firefox itself: 12 of the 39 samples of the thread end in it (resource:// and names of C++). All 39 are shown here, of 1 ms each, which is the interval that the file tells.',
  },
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
    reference: jfrPrint(['jdk.ExecutionSample'], ({ state }) => (state === 'STATE_DEFAULT' ? 0 : 200e6), unpacked, 1),
  },
];

/** What perf of that time printed of C++, `_Z4betav`, as speedscope shows it. */
function ofMangled(name: string): string {
  const [, length, rest = ''] = /^_Z(\d+)(\w+)$/.exec(name) ?? [];
  const plain = length === undefined ? name : `${rest.slice(0, Number(length))}()`;
  // A frame without a symbol: here its library, there question marks and the library.
  return plain.replace(/^\?\?\? \(\[?(.*?)\]?\)$/, '[$1]');
}

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
