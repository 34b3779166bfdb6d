import * as z from 'zod';
import { remembered } from '../../model/domain/remembered.ts';
import type { StartPart } from '../../model/domain/startup.ts';
import { fileOfUrl } from '../record/node/scriptUrl.ts';
import { partsByTime } from './partsByTime.ts';

const profileSchema = z.object({
  bootMs: z.number(),
  profile: z.object({
    nodes: z.array(
      z.object({
        id: z.number(),
        callFrame: z.object({ functionName: z.string(), url: z.string() }),
        children: z.array(z.number()).default([]),
      }),
    ),
    startTime: z.number(),
    samples: z.array(z.number()),
    timeDeltas: z.array(z.number()),
  }),
});

const installed = /[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/g;
/** What V8 does without a stack of the program. */
const own: Readonly<Record<string, string>> = {
  '(garbage collector)': '(garbage collector)',
  '(program)': '(native code)',
  '(idle)': '(waiting)',
};

/**
 * Where a start spent its time, by the package whose code ran or had Node run something (read a file, compile, load): that of the innermost frame with a file.
 * What the process waited for at the end was for being asked, and is left out. Null where `document` is no profile of V8 with the age of its process at the
 * beginning. `untilMs`: of the process.
 */
export function cpuProfileParts(document: unknown, untilMs: number): StartPart[] | null {
  const parsed = profileSchema.safeParse(document);
  if (!parsed.success) return null;
  const { nodes, samples, timeDeltas } = parsed.data.profile;
  const { bootMs } = parsed.data;
  const parents = new Map(nodes.flatMap(({ id, children }) => children.map((child) => [child, id] as const)));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const names = new Map<number, string>();
  const nameOf = (id: number): string => {
    const leaf = own[byId.get(id)?.callFrame.functionName ?? ''];
    if (leaf !== undefined) return leaf;
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const { url } = byId.get(at)?.callFrame ?? { url: '' };
      if (url !== '' && !url.startsWith('node:')) return packageOf(fileOfUrl(url));
    }
    return '(Node itself)';
  };
  const times: { name: string; ms: number }[] = [{ name: '(Node itself, before the first file)', ms: bootMs }];
  let atMs = bootMs;
  for (const [index, id] of samples.entries()) {
    // A sample lasts until the next one.
    const ms = Math.max(0, (timeDeltas[index + 1] ?? 0) / 1000);
    if (atMs > untilMs) break;
    times.push({ name: remembered(names, id, () => nameOf(id)), ms: Math.min(ms, untilMs - atMs) });
    atMs += ms;
  }
  const lastAtWork = times.findLastIndex(({ name }) => name !== own['(idle)']);
  return partsByTime(times.slice(0, lastAtWork + 1));
}

function packageOf(file: string): string {
  const last = [...file.matchAll(installed)].at(-1)?.[1];
  return last?.replaceAll('\\', '/') ?? 'the app’s own files';
}
