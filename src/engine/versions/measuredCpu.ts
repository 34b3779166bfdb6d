import { nodeRoles } from '../../model/domain/callTree.ts';
import type { CallTree } from '../../model/domain/callTree.ts';

const idle = nodeRoles.indexOf('idle');

/**
 * A recording whose CPU time adds up to what the system counted for as many requests. A sampler that goes by the clock of the wall, as V8’s does, treats a
 * thread as running while another program has its core, and reports up to several times the CPU that there was; its distribution over functions is right all
 * the same. As it is where either is not known.
 */
export function inMeasuredCpu(tree: CallTree, requests: number | null, cpuUsPerRequest: number | null): CallTree {
  const index = tree.events.findIndex(({ name, unit }) => name === 'cpu' && unit === 'ns');
  const event = tree.events[index];
  if (event === undefined || requests === null || requests <= 0 || cpuUsPerRequest === null || cpuUsPerRequest <= 0) return tree;
  const total = event.self.reduce((sum, weight, node) => (tree.role?.[node] === idle ? sum : sum + weight), 0);
  if (total <= 0) return tree;
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
