import * as z from 'zod';

/** Where a function begins, as V8 says it: line and column from 0, -1 where it has none. */
const callFrameSchema = z.looseObject({
  functionName: z.string(),
  scriptId: z.string(),
  url: z.string(),
  lineNumber: z.number(),
  columnNumber: z.number(),
});
export type V8CallFrame = z.infer<typeof callFrameSchema>;

/** `line` from 1. */
const positionTickSchema = z.object({ line: z.number(), ticks: z.number() });
export type V8PositionTick = z.infer<typeof positionTickSchema>;

/** Answer to `Profiler.stop`; what is not read is kept as it is. Times in µs. */
export const cpuProfileSchema = z.looseObject({
  nodes: z.array(
    z.looseObject({
      id: z.number(),
      callFrame: callFrameSchema,
      positionTicks: z.array(positionTickSchema).optional(),
      hitCount: z.number().optional(),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()).optional(),
  startTime: z.number(),
  endTime: z.number(),
});
export type CpuProfile = z.infer<typeof cpuProfileSchema>;

/** Node of the answer to `HeapProfiler.stopSampling`; its callees are nodes too. */
export interface HeapNode {
  callFrame: V8CallFrame;
  children: HeapNode[];
}

/** The call frames of a heap profile, in no order. */
export function heapCallFrames(head: HeapNode): V8CallFrame[] {
  const frames: V8CallFrame[] = [];
  const open = [head];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    frames.push(node.callFrame);
    open.push(...node.children);
  }
  return frames;
}
