import * as z from 'zod';
import { failure } from '../../../model/domain/failure.ts';
import type { AttachedNode } from './attachNode.ts';
import { waitProbeSource } from './waitProbeSource.ts';

/** Up to this number all stacks in 100 ms are recorded, above it a random part: about 1 % of a core at most. */
const stacksPerSlot = 50;
const maxFramesPerStack = 32;
const maxNodes = 50_000;
/** Its own frames are left out of the stacks by this name; in a CPU profile they show under it. */
const scriptName = 'benchside-waits';
const searchTimeoutMs = 30_000;

const sumsSchema = z.object({ pool: z.number(), opening: z.number(), query: z.number() });

/** What the probe gives: times in ms, `nodes` as [parent, frame, pool wait, wait for a new connection, query], frames as {@link WaitFrame}. */
export const waitReportSchema = z.object({
  totals: sumsSchema.extend({
    asks: z.number(),
    queries: z.number(),
    waits: z.number(),
    pools: z.number(),
    stacks: z.number(),
    streams: z.number(),
    cut: z.number(),
  }),
  sampled: sumsSchema.describe('the part of the totals that has stacks, each weighed by how many it stands for'),
  frames: z
    .array(z.tuple([z.string(), z.string(), z.number(), z.number(), z.number(), z.number()]))
    .describe('name, script, executing line and column, line and column of the function, from 1; 0: not known'),
  nodes: z.array(z.tuple([z.number().int(), z.number().int(), z.number(), z.number(), z.number()])).max(maxNodes + 1),
});
export type WaitReport = z.infer<typeof waitReportSchema>;

/** The probe for waits in a process that we are attached to. */
export class WaitProbe {
  private constructor(
    private readonly node: AttachedNode,
    private readonly objectId: string,
  ) {}

  /** Puts the probe in, to begin later; null when no pool of `pg` is found. Takes a garbage collection where the app is bundled. */
  static async install(node: AttachedNode): Promise<WaitProbe | null> {
    const options = { stacksPerSlot, frames: maxFramesPerStack, maxNodes, scriptName };
    const { objectId } = await node.client.evaluate(`${waitProbeSource}(${JSON.stringify(options)})\n//# sourceURL=${scriptName}`);
    if (objectId === undefined) throw failure('inspector-refused', 'The Node process refused to measure waits.', 'Record CPU time only.');
    await node.undoAtEnd(objectId, 'undo');
    const inModules = await node.client.call(objectId, 'function () { return this.findInModules(); }');
    const found = inModules.value === 0 ? await findInHeap(node, objectId) : inModules.value;
    return found === 0 ? null : new WaitProbe(node, objectId);
  }

  async begin(): Promise<void> {
    await this.node.client.call(this.objectId, 'function () { this.begin(); }');
  }

  /** Ends the measurement, takes the probe out and returns what it found. */
  async end(): Promise<WaitReport> {
    const { value } = await this.node.client.call(this.objectId, 'function () { return this.end(); }', { timeoutMs: searchTimeoutMs });
    return waitReportSchema.parse(JSON.parse(String(value)));
  }
}

/** A bundle's pool is in no module: it is looked for among all event emitters, for which V8 collects garbage first. */
async function findInHeap(node: AttachedNode, probeId: string): Promise<unknown> {
  const prototype = await node.client.evaluate(`require('events').prototype`);
  const answer = await node.client.send('Runtime.queryObjects', { prototypeObjectId: prototype.objectId }, searchTimeoutMs);
  const { objectId } = answer['objects'] as { objectId: string };
  const found = await node.client.call(probeId, 'function (emitters) { return this.findInObjects(emitters); }', { args: [{ objectId }] });
  for (const id of [objectId, prototype.objectId]) await node.client.send('Runtime.releaseObject', { objectId: id });
  return found.value;
}
