import type { CallTree, SampleTable } from '../../../src/model/domain/callTree.ts';
import { failure } from '../../../src/model/domain/failure.ts';
import { Naming } from '../core/tree/naming.ts';
import { inOrderOfTime } from '../../../src/calltree/sampleOrder.ts';
import { type SourceTree, sourceTreeOf } from '../core/tree/sourceTree.ts';
import { mergeSiblings } from '../../../src/calltree/transforms.ts';
import { type Reshaped, type TreeShape, type ViewTree, reshapedView, shapeOf, weightsOf } from '../../../src/calltree/viewTree.ts';
import type { Selection } from '../core/tree/selection.ts';

export class OpenRecording {
  readonly tree: SourceTree;
  readonly naming: Naming;
  readonly shape: TreeShape;
  #siblings: Reshaped | null | undefined;
  #samples: SampleTable | null = null;

  /** @param isWhole False: nodes too narrow to see were left out, and samples do not fit. */
  constructor(
    tree: CallTree,
    readonly isWhole: boolean,
  ) {
    this.tree = sourceTreeOf(tree);
    this.naming = new Naming({ ...tree.functions, inA: null, inB: null });
    this.shape = shapeOf(this.tree);
  }

  /** Takes the samples of the whole tree; those of nodes that are not there are an error. */
  takeSamples(samples: SampleTable): void {
    for (let index = 0; index < samples.node.length; index += 1) {
      const node = samples.node[index] as number;
      if (node < 0 || node >= this.tree.nodeCount) throw new Error('A sample belongs to no node of the tree.');
    }
    this.#samples = inOrderOfTime(samples);
  }

  /** Fails with `no-samples`. */
  samplesOrFail(): SampleTable {
    if (this.#samples !== null && this.#samples.node.length > 0) return this.#samples;
    throw failure(
      'no-samples',
      'The samples of this recording are not loaded, so it cannot be shown by time, thread or state.',
      'Wait until the recording is loaded completely; where it holds no samples, show all threads and states in another order.',
    );
  }

  /** All stacks with the weights of a selection; siblings that differ only by their line are one node. */
  view({ self, own }: Selection): ViewTree {
    const view = this.unmergedView({ self, own });
    if (this.#siblings === undefined) this.#siblings = mergeSiblings(this.shape);
    return this.#siblings === null ? view : reshapedView(view, this.#siblings);
  }

  /** As {@link view}, each node of the recording on its own. */
  unmergedView({ self, own }: Pick<Selection, 'self' | 'own'>): ViewTree {
    const { line, role, tier, parent } = this.tree;
    return { ...this.shape, line, role, tier, first: null, place: null, weights: [weightsOf(self, own, parent)] };
  }
}
