import type { StartPart } from '../../model/domain/startup.ts';
import { partsByTime } from './partsByTime.ts';

/** `[123456789ns] com.example.A source: file:/app/lib/a.jar`, as `-Xlog:class+load:file=F:uptimenanos` writes it. */
const line = /^\[(\d+)ns\]\s+\S+ source: (.+)$/;
const nanosPerMs = 1e6;

/**
 * Where the classes of a start came from, and the time from each to the next, counted for where it came from: what initialises a class, and what runs with it
 * until another one is needed. `untilMs`: of the JVM’s uptime; what is loaded later is not of the start.
 */
export function classLoadingParts(log: string, untilMs: number): StartPart[] {
  const loaded = log.split('\n').flatMap((text) => {
    const [, nanos, source] = line.exec(text) ?? [];
    return nanos === undefined || source === undefined ? [] : [{ atMs: Number(nanos) / nanosPerMs, name: sourceName(source) }];
  });
  const ofStart = loaded.filter(({ atMs }) => atMs <= untilMs);
  const [first] = ofStart;
  if (first === undefined) return [];
  const events = ofStart.map(({ atMs, name }, index) => ({
    name,
    ms: Math.max(0, Math.min(untilMs, ofStart[index + 1]?.atMs ?? untilMs) - atMs),
    classes: 1,
  }));
  return partsByTime([{ name: '(the JVM itself, before its first class)', ms: first.atMs, classes: 0 }, ...events]);
}

function sourceName(source: string): string {
  if (source.startsWith('shared objects file')) return 'JDK, shared archive';
  if (source.startsWith('jrt:')) return 'JDK, not in the archive';
  // The source of a class that is made while it runs is the class that it is made for, or a word of the JVM.
  if (!/[/\\]|\.jar$/.test(source)) return '(made while it runs)';
  const jar = [...source.matchAll(/([^/!\\]+\.jar)/g)].at(-1)?.[1];
  return (
    jar ??
    source
      .replace(/^file:/, '')
      .replace(/[!/\\]+$/, '')
      .split(/[/\\]/)
      .slice(-2)
      .join('/')
  );
}
