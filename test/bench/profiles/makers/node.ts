import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeOfMajor } from '../../../support/nodeRecording.ts';
import type { CorpusFile } from '../corpus.ts';
import { goPprof } from '../references/goPprof.ts';
import { heapSnapshotSizes } from '../references/memlab.ts';
import { profProcess } from '../references/nodeProf.ts';
import { speedscope, speedscopeExport } from '../references/speedscope.ts';
import { drawnBy0x } from '../references/zeroX.ts';
import { npmPackage, once, programsDir, run } from '../tools.ts';

const work = path.join(programsDir, 'work.cjs');
const inspected = path.join(programsDir, 'inspected.cjs');
const majors = [20, 22, 24];

function node(major: number): Promise<string> {
  return once(`node ${major}`, async () => {
    const program = await nodeOfMajor(major);
    if (program === null) throw new Error(`Node ${major} could not be fetched.`);
    return program;
  });
}

/** The only file of a folder with such an ending. */
export function fileIn(folder: string, ending: string): string {
  const [found] = readdirSync(folder).filter((name) => name.endsWith(ending));
  if (found === undefined) throw new Error(`No ${ending} was written.`);
  return path.join(folder, found);
}

/** A file that Node writes itself, with one of its options. */
function byOption(name: string, options: readonly string[], ending: string): (major: number) => CorpusFile['make'] {
  return (major) => async (folder) => {
    await run(await node(major), [...options.map((option) => option.replace('DIR', folder)), work], { cwd: folder });
    return fileIn(folder, ending);
  };
}

/** A file that a program writes of itself through its inspector. */
function byInspector(kind: string, name: string, major = 20): CorpusFile['make'] {
  return async (folder) => {
    const file = path.join(folder, name);
    await run(await node(major), [inspected, kind, file]);
    return file;
  };
}

const cpuProf = byOption('cpu-prof', ['--cpu-prof', '--cpu-prof-dir=DIR'], '.cpuprofile');
const heapProf = byOption('heap-prof', ['--heap-prof', '--heap-prof-dir=DIR', '--heap-prof-interval=4096'], '.heapprofile');
const prof = byOption('prof', ['--prof', '--no-logfile-per-isolate', '--logfile=DIR/isolate-v8.log'], '.log');

const ofEachMajor: CorpusFile[] = majors.flatMap((major) => [
  {
    id: `node-${major}-cpu-prof`,
    format: 'V8 CPU profile',
    program: `Node ${major}, --cpu-prof`,
    event: 'cpu',
    make: cpuProf(major),
    reference: speedscope(),
  },
  {
    id: `node-${major}-heap-prof`,
    format: 'V8 heap profile',
    program: `Node ${major}, --heap-prof`,
    event: 'heap',
    make: heapProf(major),
    reference: speedscope(),
  },
  {
    id: `node-${major}-prof`,
    format: 'V8 log (node --prof)',
    program: `Node ${major}, --prof`,
    event: 'cpu',
    make: prof(major),
    reference: profProcess(() => node(major)),
  },
  {
    id: `node-${major}-heap-snapshot`,
    format: 'V8 heap snapshot',
    program: `Node ${major}, HeapProfiler.takeHeapSnapshot`,
    event: 'heap',
    make: byInspector('snapshot', 'inspector.heapsnapshot', major),
    reference: heapSnapshotSizes,
  },
]);

/** A profile that a library writes of the process that it is in. */
function byDatadog(kind: string): CorpusFile['make'] {
  return async (folder) => {
    const file = path.join(folder, `${kind}.pb.gz`);
    await run(await node(20), [path.join(programsDir, 'datadog.cjs'), await npmPackage('@datadog/pprof'), kind, file]);
    return file;
  };
}

export const nodeFiles: readonly CorpusFile[] = [
  ...ofEachMajor,
  {
    id: 'node-inspector-cpu',
    format: 'V8 CPU profile',
    program: 'Node 20, Profiler of the inspector, every 0.5 ms',
    event: 'cpu',
    make: byInspector('cpu', 'inspector.cpuprofile'),
    reference: speedscope(),
  },
  {
    id: 'node-inspector-pauses',
    format: 'V8 CPU profile',
    program: 'Node 22, Profiler of the inspector, with idle time, indented',
    event: 'cpu',
    make: byInspector('pauses', 'pauses.cpuprofile', 22),
    reference: speedscope(),
  },
  {
    id: 'node-inspector-heap',
    format: 'V8 heap profile',
    program: 'Node 20, HeapProfiler.startSampling',
    event: 'heap',
    make: byInspector('heap', 'inspector.heapprofile'),
    reference: speedscope(),
  },
  {
    id: 'node-prof-preprocessed',
    format: 'V8 log, preprocessed',
    program: 'Node 20, --prof-process --preprocess',
    event: 'cpu',
    make: async (folder) => {
      const log = await prof(20)(folder);
      const file = path.join(folder, 'preprocessed.json');
      writeFileSync(file, await run(await node(20), ['--prof-process', '--preprocess', log]));
      return file;
    },
    reference: profProcess(
      () => node(20),
      async (file) => path.join(path.dirname(file), 'isolate-v8.log'),
    ),
  },
  {
    id: '0x',
    format: 'Ticks of 0x or Clinic Flame',
    program: '0x 6.0.0, its folder',
    event: 'cpu',
    make: async (folder) => {
      const args = ['--collect-only', '--write-ticks', '--output-dir', path.join(folder, 'it.0x'), '--', process.execPath, work];
      await run(await node(20), [path.join(await npmPackage('0x'), 'cmd.js'), ...args], { cwd: folder });
      return path.join(folder, 'it.0x');
    },
    reference: drawnBy0x,
  },
  {
    id: 'datadog-time',
    format: 'pprof',
    program: '@datadog/pprof 5.20.0, time',
    event: 'wall',
    make: byDatadog('time'),
    reference: goPprof('wall', 'ns'),
  },
  {
    id: 'datadog-heap',
    format: 'pprof',
    program: '@datadog/pprof 5.20.0, heap',
    event: 'inuse_space',
    make: byDatadog('heap'),
    reference: goPprof('inuse_space', 'bytes'),
  },
  {
    id: 'platformatic-flame',
    format: 'pprof',
    program: '@platformatic/flame 1.7.0',
    event: 'wall',
    make: async (folder) => {
      await run(await node(22), [path.join(await npmPackage('@platformatic/flame'), 'bin', 'flame.js'), 'run', work], { cwd: folder });
      return fileIn(folder, '.pb');
    },
    reference: goPprof('wall', 'ns'),
  },
  {
    id: 'bun-cpu-prof',
    format: 'V8 CPU profile',
    program: 'Bun 1.4.4, --cpu-prof',
    event: 'cpu',
    make: async (folder) => {
      const bun = path.join(await npmPackage('@oven/bun-linux-x64'), 'bin', 'bun');
      await run(bun, ['--cpu-prof', `--cpu-prof-dir=${folder}`, work], { cwd: folder });
      return fileIn(folder, '.cpuprofile');
    },
    reference: speedscope(),
  },
  {
    id: 'deno-cpu-prof',
    format: 'V8 CPU profile',
    program: 'Deno 2.9.6, --cpu-prof',
    event: 'cpu',
    make: async (folder) => {
      const deno = path.join(await npmPackage('@deno/linux-x64-glibc'), 'deno');
      await run(deno, ['run', '--allow-all', '--cpu-prof', `--cpu-prof-dir=${folder}`, work], { cwd: folder });
      return fileIn(folder, '.cpuprofile');
    },
    reference: speedscope(),
  },
  {
    id: 'node-trace-events',
    format: 'performance trace (Chrome, Node)',
    program: 'Node 20, --trace-event-categories',
    event: 'wall',
    make: async (folder) => {
      const args = ['--trace-event-categories', 'v8,node,node.async_hooks', `--trace-event-file-pattern=${folder}/node.trace.json`, work];
      await run(await node(20), args, { cwd: folder });
      return path.join(folder, 'node.trace.json');
    },
    reference: speedscope(),
  },
  {
    id: 'speedscope-of-cpu-profile',
    format: 'speedscope',
    program: 'speedscope 1.25.0, saved from a V8 CPU profile',
    event: 'cpu',
    make: async (folder) => {
      const file = path.join(folder, 'saved.speedscope.json');
      writeFileSync(file, await speedscopeExport(await byInspector('cpu', 'inspector.cpuprofile')(folder)));
      return file;
    },
    reference: speedscope(),
  },
];
