import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import path from 'node:path';
import * as z from 'zod';
import { toFailure } from '../../model/domain/failure.ts';
import type { LeakNote, LeakStack } from '../../model/domain/leak.ts';
import { fileMode } from '../files/safeFiles.ts';
import { probeFiles } from '../probe/probeLaunch.ts';
import { AttachedNode } from '../record/node/attachNode.ts';
import { fileOfUrl } from '../record/node/scriptUrl.ts';
import { pause } from '../supervise/pause.ts';
import { makeTemporaryFolder } from '../supervise/temporaryFolder.ts';
import { type RunningTarget, serverPid } from '../targets/launchTarget.ts';
import { type WatchedHeap, type LeakContext, type Traced, type TraceOptions, mostStacks, requestsPerObject } from './watchedHeap.ts';

const collectTimeoutMs = 60_000;
const snapshotTimeoutMs = 120_000;
/** Callbacks of a collection (FinalizationRegistry, destroyed resources) run after it and free more. */
const callbacksMs = 20;
/** A snapshot of a larger heap takes longer than the whole look, and more memory than the reader has. */
const largestSnapshotBytes = 100 * 2 ** 20;
/** Cycles between the snapshots: what was born in the first has survived the two others. */
const tracedCycles = 3;
/** Bytes between two samples of what is allocated. */
const samplingInterval = 16_384;
const mostFrames = 12;
/** Of all that is sampled, a stack with less is not worth a line. */
const leastShare = 0.05;

const usageSchema = z.object({ heapUsed: z.number(), external: z.number() });

const sampledSchema = z.object({
  callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
  selfSize: z.number(),
  get children(): z.ZodArray<typeof sampledSchema> {
    return z.array(sampledSchema);
  },
});

/** The heap of a Node process, through the inspector from within. */
export class NodeHeap implements WatchedHeap {
  #lastHeapBytes = 0;

  private constructor(
    private readonly node: AttachedNode,
    private readonly context: LeakContext,
  ) {}

  static async open(running: RunningTarget, maxMs: number, context: LeakContext): Promise<NodeHeap> {
    const process = { pid: serverPid(running), probes: running.probe };
    return new NodeHeap(await AttachedNode.ofProcess(process, maxMs, context.signal), context);
  }

  async level(): Promise<number> {
    const { client } = this.node;
    await client.send('HeapProfiler.collectGarbage', {}, collectTimeoutMs);
    await pause(callbacksMs, this.context.signal);
    await client.send('HeapProfiler.collectGarbage', {}, collectTimeoutMs);
    const { value } = await client.evaluate('JSON.stringify(process.memoryUsage())', { byValue: true, timeoutMs: collectTimeoutMs });
    const { heapUsed, external } = usageSchema.parse(JSON.parse(String(value)));
    this.#lastHeapBytes = heapUsed;
    return heapUsed + external;
  }

  async trace({ cycle, hasTime }: TraceOptions): Promise<Traced> {
    const { client } = this.node;
    const notes: LeakNote[] = [];
    const takesSnapshots = this.#lastHeapBytes <= largestSnapshotBytes;
    if (!takesSnapshots) notes.push('heap-too-large');
    const folder = makeTemporaryFolder('leak');
    try {
      const files: string[] = [];
      const snapshot = async (): Promise<void> => {
        if (takesSnapshots) files.push(await this.#snapshot(path.join(folder, `${files.length}.heapsnapshot`)));
      };
      await snapshot();
      await client.send('HeapProfiler.startSampling', { samplingInterval });
      let requests = Infinity;
      for (let done = 0; done < tracedCycles && (done < 2 || hasTime()); done += 1) {
        requests = Math.min(requests, await cycle());
        await this.level();
        await snapshot();
      }
      const probe = path.join(this.context.assetsDir, probeFiles.node);
      const stacks = stacksOf(await client.send('HeapProfiler.stopSampling', {}, collectTimeoutMs), probe);
      const census = takesSnapshots ? await this.#census(files, Math.ceil(requests / requestsPerObject)) : null;
      if (takesSnapshots && census === null) notes.push('no-census');
      return { classes: census?.classes ?? [], holders: census?.holders ?? [], stacks, notes };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    await this.node.detach();
  }

  async #snapshot(file: string): Promise<string> {
    const { client } = this.node;
    const output = createWriteStream(file, { flags: 'wx', mode: fileMode });
    const stop = client.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => output.write(String(chunk)));
    try {
      await client.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false }, snapshotTimeoutMs);
    } finally {
      stop();
      output.end();
      await finished(output);
    }
    return file;
  }

  async #census(files: readonly string[], least: number): Promise<Pick<Traced, 'classes' | 'holders'> | null> {
    const { reading, signal } = this.context;
    try {
      return await reading.read('heapCensus', { files, least }, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (toFailure(error).code === 'internal') throw error;
      return null;
    }
  }
}

/** The stacks whose sampled objects are still there, the heaviest first; those of our probe, by which we ask, are left out. */
function stacksOf(answer: Record<string, unknown>, probe: string): LeakStack[] {
  const parsed = z.object({ profile: z.object({ head: sampledSchema }) }).safeParse(answer);
  if (!parsed.success) return [];
  const found: LeakStack[] = [];
  let total = 0;
  const visit = ({ callFrame, selfSize, children }: z.infer<typeof sampledSchema>, outer: LeakStack['frames']): void => {
    const { functionName, url, lineNumber } = callFrame;
    const frame = { name: functionName === '' ? '(anonymous)' : functionName, file: fileOfUrl(url), line: Math.max(0, lineNumber + 1) };
    if (frame.file === probe) return;
    const frames = [frame, ...outer];
    total += selfSize;
    if (selfSize > 0) found.push({ bytes: selfSize, frames: frames.slice(0, mostFrames) });
    for (const child of children) visit(child, frames);
  };
  // The first is the root, which stands for everything.
  for (const child of parsed.data.profile.head.children) visit(child, []);
  return found
    .filter(({ bytes }) => bytes >= leastShare * total)
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, mostStacks);
}
