import { loadProfileSchema } from '../../model/domain/loadProfile.ts';
import type { Traffic, TrafficNote } from '../../model/domain/traffic.ts';
import { failure } from '../../model/domain/failure.ts';
import { type LocalIds, type WeightedValues, recordedIds } from './localIds.ts';
import type { TrafficDraft } from './trafficDraft.ts';

/** All values of all holes together. A load profile is read whole. */
const mostCharacters = 300_000;
const fewestValues = 20;
const roomOfWeight = 4;
/** Its multiples are spread evenly between whole numbers. */
const goldenRatio = 0.618_033_988_75;
const fewestUsers = 1;
const mostUsers = 10_000;
const usualUsers = 16;
/** What is drawn where neither the traffic nor the data say which keys there are. */
const guessed = '{{random:1-100}}';

/**
 * The load profile of traffic. `local`: the keys of rows that exist, by hole; null where no database was asked. Fails with `traffic-empty` where nothing is
 * left to be sent.
 */
export function trafficProfile(
  source: string,
  draft: TrafficDraft,
  local: ReadonlyMap<string, LocalIds> | null,
  { name, asRecorded }: { name: string; asRecorded: boolean },
): Traffic {
  const { roles, parameters, notes: seen, ...figures } = draft;
  if (roles.length === 0)
    throw failure(
      'traffic-empty',
      'Nothing of the traffic can be sent: it only writes, or everything in it failed.',
      'Tick what may write with --writes, or record again.',
    );
  const notes: TrafficNote[] = [...seen];
  if (local === null && parameters.some(({ kind }) => kind === 'path')) notes.push({ code: 'no-database' });
  const text = JSON.stringify(roles);
  const filled = new Map(parameters.map((parameter) => [parameter.hole, local?.get(parameter.hole) ?? recordedIds(parameter)]));
  for (const { hole, kind, route, name: parameter, distinct } of parameters)
    if (local !== null && kind === 'path' && !local.has(hole)) notes.push({ code: 'no-ids', route, parameter, values: distinct });
  const uses = [...text.matchAll(/\{\{p\d+\}\}/g)].length;
  const room = mostCharacters / Math.max(1, uses);
  const used = new Map<string, number>();
  const written = text.replace(/\{\{(p\d+)\}\}/g, (_, hole: string) => {
    const use = used.get(hole) ?? 0;
    used.set(hole, use + 1);
    return holeOf(filled.get(hole)?.values ?? [], room, use);
  });
  const profile = {
    name,
    description: descriptionOf(source, draft),
    connections: asRecorded ? Math.min(mostUsers, Math.max(fewestUsers, Math.round(figures.concurrent ?? 1))) : usualUsers,
    durationS: 10,
    rounds: 3,
    roles: JSON.parse(written) as unknown,
  };
  const checked = loadProfileSchema.safeParse(profile);
  if (!checked.success)
    throw failure(
      'traffic-unreadable',
      'What was read does not make a load profile.',
      'Leave out what is odd in the traffic, and read it again.',
      checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
    );
  return {
    source,
    ...figures,
    ids: parameters.flatMap(({ hole, kind }) => {
      const one = filled.get(hole);
      return one === undefined || (kind === 'query' && one.ids.column === null) ? [] : [one.ids];
    }),
    notes,
    name,
    text: `${JSON.stringify(profile, null, 2)}\n`,
  };
}

/**
 * One of these values is drawn for each request, by its weight. Where there is no room for all, each place that uses the parameter has others of them, drawn at
 * even distances along their weights, so that all places together are as uneven as the traffic.
 */
function holeOf(values: WeightedValues, room: number, use: number): string {
  const [only] = values;
  if (only === undefined) return guessed;
  if (values.length === 1) return encodeURIComponent(Buffer.from(only[0]).toString());
  const parts = values.map(([value]) => encoded(value));
  const characters = parts.reduce((sum, part) => sum + part.length + roomOfWeight, 0);
  const fitting = Math.max(fewestValues, Math.floor((room * values.length) / characters));
  const weights = fitting >= values.length ? values.map(([, weight]) => weight) : someOf(values, fitting, (use * goldenRatio) % 1);
  return `{{any:${parts.flatMap((part, at) => weightedPart(part, weights[at] ?? 0)).join(',')}}}`;
}

/** How often each value is met at so many points, evenly along all weights from `offset` (0 to 1) on. */
function someOf(values: WeightedValues, points: number, offset: number): number[] {
  const total = values.reduce((sum, [, weight]) => sum + weight, 0);
  let reached = 0;
  let met = 0;
  return values.map(([, weight]) => {
    reached += weight;
    const until = Math.ceil((reached / total) * points - offset);
    const own = Math.max(0, Math.min(points, until) - met);
    met += own;
    return own;
  });
}

function weightedPart(part: string, weight: number): string[] {
  if (weight === 0) return [];
  return [weight === 1 ? part : `${part}*${Number(weight.toPrecision(4))}`];
}

function encoded(value: string): string {
  return encodeURIComponent(Buffer.from(value).toString()).replaceAll('*', '%2A');
}

function descriptionOf(source: string, { requests, sessions, ratePerS, peakPerS }: TrafficDraft): string {
  const rate =
    ratePerS === null ? '' : `; ${figure(ratePerS)} requests/s on average, ${figure(peakPerS ?? ratePerS)} in the busiest minute`;
  return `From traffic (${source}): ${requests} requests of ${sessions} ${sessions === 1 ? 'session' : 'sessions'}${rate}.`;
}

function figure(value: number): string {
  return String(Number(value.toPrecision(3)));
}
