import { createRequire } from 'node:module';
import { type Reference, Sums } from '../corpus.ts';
import { npmPackage } from '../tools.ts';

interface HeapNode {
  type: string;
  name: string;
  self_size: number;
}

interface MemlabAnalysis {
  getFullHeapFromFile: (file: string) => Promise<{ nodes: { forEach: (use: (node: HeapNode) => void) => void } }>;
}

/** Kinds of nodes that are known by their constructors; of all others the kind is. */
const named: ReadonlySet<string> = new Set(['object', 'native', 'synthetic', 'regexp']);

/** What the parser of memlab finds in a heap snapshot: bytes that the objects of each constructor take themselves. */
export const heapSnapshotSizes: Reference = {
  by: 'memlab 2.0.5',
  read: async (file) => {
    const { getFullHeapFromFile } = createRequire(import.meta.url)(await npmPackage('@memlab/heap-analysis')) as MemlabAnalysis;
    const sums = new Sums();
    const heap = await getFullHeapFromFile(file);
    heap.nodes.forEach(({ type, name, self_size: size }) => sums.add(named.has(type) ? name || '(unnamed)' : `(${type})`, size));
    return sums;
  },
};
