import * as z from 'zod';
import { type Reference, Sums } from '../corpus.ts';
import { jdkTool, mavenJar, run } from '../tools.ts';

const methodSchema = z.object({ name: z.string(), type: z.object({ name: z.string() }).nullable() });
type Method = z.infer<typeof methodSchema>;
const eventSchema = z.object({
  type: z.string(),
  values: z
    .object({
      stackTrace: z
        .object({
          frames: z.array(z.object({ method: methodSchema.nullable() })),
        })
        .nullish(),
    })
    .catchall(z.unknown()),
});
type JfrEvent = z.infer<typeof eventSchema>;
const printedSchema = z.object({ recording: z.object({ events: z.array(eventSchema) }) });

/** Weighs an event of a recording. */
type Weigh = (values: JfrEvent['values']) => number;

/** Each event stands for so much. */
export function each(weight: number): Weigh {
  return () => weight;
}

/** The first of these fields that is a number above zero. */
export function field(...names: string[]): Weigh {
  return (values) => names.map((name) => Number(values[name] ?? 0)).find((value) => value > 0) ?? 0;
}

/** A duration as the JDK prints it (PT0.0031S), in ns. */
export function duration(values: JfrEvent['values']): number {
  const text = String(values['duration'] ?? '');
  const [, minutes = '0', seconds = '0'] = /^PT(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(text) ?? [];
  return (60 * Number(minutes) + Number(seconds)) * 1e9;
}

/** async-profiler at work itself, which is no part of the app: all but its hook of threads that park, below which the app goes on. */
function isOfRecorder({ name, type }: Method): boolean {
  return /libasyncProfiler/.test(type?.name ?? '') && !name.startsWith('LockTracer::UnsafeParkHook');
}

/** Of a native function, which has a library in place of a class, the name alone. */
function nameOf({ name, type }: Method): string {
  const holder = type?.name ?? '';
  return holder === '' || /\.so(?:\.|$)|^\[/.test(holder) || !/^[\w.$/+]+$/.test(holder) ? name : `${holder}.${name}`;
}

/** What the JDK's own `jfr print` says of the events of some types. `made`: of another file than the one that is opened. */
export function jfrPrint(
  types: readonly string[],
  weigh: Weigh,
  made: (file: string) => Promise<string> = async (file) => file,
  depth = 64,
): Reference {
  return {
    by: 'jfr print of the JDK',
    read: async (file) => {
      const args = ['print', '--json', '--stack-depth', String(depth), '--events', types.join(','), await made(file)];
      const { recording } = printedSchema.parse(JSON.parse(await run(jdkTool('jfr'), args)));
      const sums = new Sums();
      for (const { values } of recording.events) {
        const stack = (values.stackTrace?.frames ?? []).flatMap(({ method }) => method ?? []);
        if (stack.some(isOfRecorder)) continue;
        const [method] = stack;
        const weight = weigh(values);
        if (method === undefined) sums.total += weight;
        else sums.add(nameOf(method), weight);
      }
      return sums;
    },
  };
}

const converterVersion = '4.5';

/** Turns a recording into another form by async-profiler's converter. */
export async function jfrConverted(from: string, to: string, args: readonly string[]): Promise<string> {
  const jar = await mavenJar('tools.profiler', 'jfr-converter', converterVersion);
  await run(jdkTool('java'), ['-jar', jar, ...args, from, to]);
  return to;
}
