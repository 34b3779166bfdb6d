import type { LeakStack } from '../../model/leak.ts';

const head = /^--- (\d+) \w+ \([\d.]+%\), \d+ samples?/;
const frame = /^\s+\[\s*\d+\] (.+)$/;
/** Of compiled and interpreted code alike; async-profiler marks which it is. */
const mark = /_\[[0-9a-z]\]$/;
const mostFrames = 12;

/** Stacks in async-profiler’s text of traces, the heaviest first; the innermost frame is the class of the object. */
export function readLiveTraces(text: string): LeakStack[] {
  const stacks: LeakStack[] = [];
  for (const line of text.split('\n')) {
    const [, bytes] = head.exec(line) ?? [];
    const [, name] = frame.exec(line) ?? [];
    if (bytes !== undefined) stacks.push({ bytes: Number(bytes), frames: [] });
    const stack = stacks.at(-1);
    if (name === undefined || stack === undefined || stack.frames.length >= mostFrames) continue;
    stack.frames.push({ name: name.trim().replace(mark, '').replaceAll('/', '.'), file: '', line: 0 });
  }
  return stacks.filter(({ frames }) => frames.length > 0).sort((a, b) => b.bytes - a.bytes);
}
