import type { LeakStack } from '../../model/domain/leak.ts';

/** `--- 16384 bytes (12.50%), 3 samples`: the bytes are those of the sampled objects alone. */
const head = /^--- \d+ \w+ \([\d.]+%\), (\d+) samples?/;
const frame = /^\s+\[\s*\d+\] (.+)$/;
/** Of compiled and interpreted code alike; async-profiler marks which it is, and a hidden class has its address in its name. */
const mark = /_\[[0-9a-z]\]$|[./]0x[0-9a-f]+/g;
const mostFrames = 12;

/**
 * Stacks in async-profiler’s text of traces, the heaviest first; the innermost frame is the class of the object. Of all bytes that are allocated every
 * `interval` one is sampled, so that each sample stands for so many.
 */
export function readLiveTraces(text: string, interval: number): LeakStack[] {
  const stacks: LeakStack[] = [];
  for (const line of text.split('\n')) {
    const [, samples] = head.exec(line) ?? [];
    const [, name] = frame.exec(line) ?? [];
    if (samples !== undefined) stacks.push({ bytes: interval * Number(samples), frames: [] });
    const stack = stacks.at(-1);
    if (name === undefined || stack === undefined || stack.frames.length >= mostFrames) continue;
    stack.frames.push({ name: name.trim().replaceAll(mark, '').replaceAll('/', '.'), file: '', line: 0 });
  }
  return stacks.filter(({ frames }) => frames.length > 0).sort((a, b) => b.bytes - a.bytes);
}
