import type { CallTree } from '../../model/domain/callTree.ts';
import { defaultDelta } from '../../model/domain/margin.ts';
import type { Trial } from '../../model/domain/run.ts';
import { compilerThread } from '../../model/domain/runtimes.ts';
import { withoutIdle } from '../../calltree/stackRoles.ts';
import { halfWidth, trialMetrics } from '../runs/compareMetrics.ts';

/**
 * A recording whose CPU time adds up to what the system counted for as many requests. A sampler that goes by the clock of the wall, as V8’s does, treats a
 * thread as running while another program has its core, and reports up to several times the CPU that there was; its distribution over functions is right all
 * the same. Compilers of a JVM are left out: a recorder makes them compile again, on one side more than on the other, while what was measured had them done.
 * As it is where either is not known.
 */
export function inMeasuredCpu(recorded: CallTree, requests: number | null, cpuUsPerRequest: number | null): CallTree {
  const index = recorded.events.findIndex(({ name, unit }) => name === 'cpu' && unit === 'ns');
  if (index === -1 || requests === null || requests <= 0 || cpuUsPerRequest === null || cpuUsPerRequest <= 0) return recorded;
  const tree = withoutCompilers(recorded, index);
  const total = withoutIdle(tree, tree.events[index]?.self ?? new Float64Array()).reduce((sum, weight) => sum + weight, 0);
  if (total <= 0) return recorded;
  const factor = (1000 * cpuUsPerRequest * requests) / total;
  const { samples } = tree;
  return {
    ...tree,
    events: tree.events.map((one, at) => (at === index ? { ...one, self: one.self.map((weight) => weight * factor) } : one)),
    samples:
      samples === null
        ? null
        : { ...samples, weight: samples.weight.map((weight, at) => (samples.event[at] === index ? weight * factor : weight)) },
  };
}

/** Samples of compilers’ threads weigh nothing in the event at `index`. */
function withoutCompilers(tree: CallTree, index: number): CallTree {
  const { samples, events, threads } = tree;
  const compiles = threads.map((name) => compilerThread.test(name));
  if (samples === null || !compiles.includes(true)) return tree;
  const weight = samples.weight.slice();
  const self = events[index]?.self.slice() ?? new Float64Array();
  for (const [row, thread] of samples.thread.entries()) {
    if (samples.event[row] !== index || compiles[thread] !== true) continue;
    const node = samples.node[row] as number;
    self[node] = Math.max(0, (self[node] as number) - (weight[row] as number));
    weight[row] = 0;
  }
  return { ...tree, events: events.map((one, at) => (at === index ? { ...one, self } : one)), samples: { ...samples, weight } };
}

/** A quantile of the normal distribution. The interval is made with Student’s t of fewer rounds, so that the reported error is rather too large. */
const normal975 = 1.96;

/** Standard error of the logarithm of head’s CPU per request over base’s, by the rounds that both were measured in; null where it is not known. */
export function cpuErrorOf(a: Trial, b: Trial): number | null {
  const { cpuPerRequest } = trialMetrics({ a, b, sameRun: [a, b], delta: defaultDelta });
  const half = cpuPerRequest === null ? null : halfWidth(cpuPerRequest.ratio);
  return half === null ? null : half / normal975;
}
