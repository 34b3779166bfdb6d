import { mean } from '../../statistics/moments.ts';
import * as z from 'zod';
import { failure } from '../../../model/domain/failure.ts';
import { type DoctorHint, doctorHintSchema } from '../../../model/domain/recording.ts';

/** The file of doctor's hint among the files of a recording. */
export const clinicHintFile = 'doctor.json';

/** Below this many samples doctor's statistics say little: two seconds at its finest interval. */
const enoughSamples = 200;
/** Points of each series that are kept: more than a small chart is wide. */
const maxPoints = 500;
const maxHintBytes = 2_000_000;

const columnSchema = z.array(z.number().nullable()).max(200_000);

/** What the runner writes for doctor: its result, and the samples as columns. */
export const doctorResultSchema = z.object({
  issueCategory: z.string().max(100),
  issues: z.record(z.string().max(100), z.union([z.string().max(100), z.record(z.string().max(100), z.string().max(100))])),
  timeMs: z.array(z.number()).max(200_000),
  cpu: columnSchema,
  delayMs: columnSchema,
  handles: columnSchema,
  loopUtilization: columnSchema,
  rss: columnSchema,
  heapTotal: columnSchema,
  heapUsed: columnSchema,
});
export type DoctorResult = z.infer<typeof doctorResultSchema>;

export function doctorHint(result: DoctorResult, tool: string): DoctorHint {
  const samples = result.timeMs.length;
  const issues: Record<string, string> = {};
  for (const [name, issue] of Object.entries(result.issues)) {
    if (typeof issue === 'string') issues[name] = issue;
    else for (const [part, value] of Object.entries(issue)) issues[`${name}.${part}`] = value;
  }
  const percent = (values: readonly (number | null)[]): (number | null)[] => values.map((value) => (value === null ? null : value * 100));
  const series: [name: string, unit: string, values: readonly (number | null)[], merge: Merge][] = [
    ['CPU', '%', percent(result.cpu), mean],
    ['event-loop delay', 'ms', result.delayMs, highest],
    ['event-loop utilisation', '%', result.loopUtilization, mean],
    ['resident memory', 'bytes', result.rss, mean],
    ['heap', 'bytes', result.heapTotal, mean],
    ['heap used', 'bytes', result.heapUsed, mean],
    ['handles', 'count', result.handles, mean],
  ];
  return {
    tool,
    category: result.issueCategory,
    issues,
    samples,
    enough: samples >= enoughSamples && result.issueCategory !== 'data',
    series: series
      .filter(([, , values]) => values.length === samples)
      .map(([name, unit, values, merge]) => ({ name, unit, ...thin(result.timeMs, values, merge) })),
  };
}

/** The hint in the bytes of {@link clinicHintFile}; fails with `hint-damaged`. */
export function readDoctorHint(bytes: Uint8Array): DoctorHint {
  if (bytes.byteLength > maxHintBytes) throw damaged('it is too large');
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw damaged('its JSON is cut short or not valid');
  }
  const { data, error } = doctorHintSchema.safeParse(value);
  if (data === undefined) throw damaged(`${error.issues[0]?.path.join('.') ?? ''} is not what it should be`);
  const tooMany =
    data.series.length > 32 || data.series.some(({ timeMs, values }) => timeMs.length !== values.length || timeMs.length > 5000);
  if (tooMany) throw damaged('its series do not fit together');
  return data;
}

type Merge = (values: readonly number[]) => number;

function highest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), -Infinity);
}

/** At most {@link maxPoints} points: each represents equally many samples, at the time of the first of them. */
function thin(
  timeMs: readonly number[],
  values: readonly (number | null)[],
  merge: Merge,
): { timeMs: number[]; values: (number | null)[] } {
  const step = Math.max(1, Math.ceil(timeMs.length / maxPoints));
  const thinned: { timeMs: number[]; values: (number | null)[] } = { timeMs: [], values: [] };
  for (let start = 0; start < timeMs.length; start += step) {
    const known = values.slice(start, start + step).filter((value) => value !== null);
    thinned.timeMs.push(timeMs[start] ?? 0);
    thinned.values.push(known.length === 0 ? null : merge(known));
  }
  return thinned;
}

function damaged(why: string): Error {
  return failure('hint-damaged', `The hint of Clinic’s doctor cannot be read: ${why}.`, 'Record it again.');
}
