import type { CpuElsewhere, ProfileNote } from '../model/domain/profileNoteKinds.ts';
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

/** What a recording has of the CPU time that was used, and where the rest is. */
export function coverageNotes(cpu: RecordedCpu | null | undefined, tree: CallTree): ProfileNote[] {
  const coverage = cpuCoverage(cpu, tree);
  if (cpu == null || coverage === null) return [];
  const { kernelNs, recordedNs, recorderNs } = coverage;
  if (kernelNs < leastNs) return [{ code: 'nearly-no-cpu', kernelNs }];
  const told = (recordedNs + recorderNs) / kernelNs;
  const left: CpuElsewhere[] = [
    { in: 'recorder' as const, ns: recorderNs },
    ...cpu.processes.filter(({ recorded }) => !recorded).map(({ pid, title, kernelNs: ns }) => ({ in: { pid, title }, ns })),
    { in: 'ended' as const, ns: cpu.endedNs },
  ]
    .filter(({ ns }) => ns >= worthTelling * kernelNs)
    .sort((a, b) => b.ns - a.ns)
    .slice(0, 5);
  const elsewhere = kernelNs - recordedNs - left.reduce((sum, { ns }) => sum + ns, 0);
  if (told < enough && elsewhere >= worthTelling * kernelNs) left.push({ in: 'unseen', ns: elsewhere });
  return [{ code: 'cpu-covered', kernelNs, recordedNs, elsewhere: left }];
}
