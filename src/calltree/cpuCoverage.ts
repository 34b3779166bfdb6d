import type { CallTree } from '../model/domain/callTree.ts';
import type { RecordedCpu } from '../model/domain/recording.ts';
import { eventTotal } from './totals.ts';

/** CPU time by the kernel against that in a recording, in ns. */
export interface CpuCoverage {
  kernelNs: number;
  recordedNs: number;
  /** That of the recorder itself, which is in no stack. */
  recorderNs: number;
}

/** From this share on nothing that matters is missing. */
const enough = 0.9;
/** Less than this is within the steps of the kernel's clock and of the sampler. */
const leastNs = 50e6;
/** The smallest unrecorded share of the whole that is shown. */
const worthTelling = 0.02;

/** The thread of V8 that takes the samples of another one, which it is in no profile of; async-profiler's are in its recordings. */
export const samplingThread = 'v8:ProfEvntProc';

/** Null where the platform reported nothing, or where the recording has no CPU time. */
export function cpuCoverage(cpu: RecordedCpu | null | undefined, tree: CallTree): CpuCoverage | null {
  const event = tree.events.find(({ name, unit }) => name === 'cpu' && unit === 'ns');
  if (cpu == null || event === undefined) return null;
  const inStacks = tree.leftOut?.find((one) => one.event === event.name)?.weight ?? 0;
  const besideThem = cpu.processes.flatMap(({ threads = [] }) => threads).filter(({ name }) => name === samplingThread);
  const recorderNs = besideThem.reduce((sum, { kernelNs }) => sum + kernelNs, inStacks);
  return { kernelNs: cpu.kernelNs, recordedNs: eventTotal(event), recorderNs };
}

/** What a recording has of the CPU time that was used, and where the rest is, as sentences. */
export function coverageNotes(cpu: RecordedCpu | null | undefined, tree: CallTree): string[] {
  const coverage = cpuCoverage(cpu, tree);
  if (cpu == null || coverage === null) return [];
  const { kernelNs, recordedNs, recorderNs } = coverage;
  if (kernelNs < leastNs) return [`The kernel counted ${seconds(kernelNs)} of CPU time while this was recorded: nearly none.`];
  const share = recordedNs / kernelNs;
  const told = (recordedNs + recorderNs) / kernelNs;
  const counted = `The kernel counted ${seconds(kernelNs)} of CPU time while this was recorded; ${seconds(recordedNs)} (${(100 * share).toFixed(0)} %) are in the recording`;
  const reason = share > 1.1 ? ', which counts the time in which a thread waited for its turn on a processor, too' : '';
  const left = [
    { what: 'the recorder itself', ns: recorderNs },
    ...cpu.processes.filter(({ recorded }) => !recorded).map(({ pid, title, kernelNs: ns }) => ({ what: `process ${pid} (${title})`, ns })),
    { what: 'processes that ended meanwhile', ns: cpu.endedNs },
  ]
    .filter(({ ns }) => ns >= worthTelling * kernelNs)
    .sort((a, b) => b.ns - a.ns)
    .slice(0, 5);
  const elsewhere = kernelNs - recordedNs - left.reduce((sum, { ns }) => sum + ns, 0);
  if (told < enough && elsewhere >= worthTelling * kernelNs)
    left.push({
      what: 'threads that the recorder does not see, such as those of the runtime, of native code and of those that ended',
      ns: elsewhere,
    });
  const missing = left.map(({ what, ns }) => `${seconds(ns)} in ${what}`).join(', ');
  return [`${counted}${reason}.${missing === '' ? '' : ` Not recorded: ${missing}.`}`];
}

function seconds(ns: number): string {
  return `${(ns / 1e9).toFixed(2)} s`;
}
