import { loadProfileSchema } from '../model/loadProfile.ts';
import { flag, many, one } from './options.ts';
import type { Values } from './options.ts';
import { word, wrong } from './values.ts';

/** What `benchside traffic` is to do. */
export interface TrafficOptions {
  files: readonly string[];
  /** A target whose database has the keys; null: they stay as they were recorded. */
  target: string | null;
  output: string | null;
  profileName: string;
  writes: readonly string[] | 'all';
  asRecorded: boolean;
}

export const trafficOptions = {
  target: one('-t, --target <id>', 'the target whose database has the keys that are asked for', word),
  output: one('-o, --output <file>', 'where the load profile is written (default: profiles/<name>.json)', word),
  name: one('--name <name>', 'the name of the load profile (default: that of the file)', profileName),
  writes: many('--writes <route>', 'a route that writes and is sent, too, e.g. "POST /orders", or “all”; may be repeated', word),
  asRecorded: flag('--as-recorded', 'as many users at a time as there were, with their think times, in place of a load without pauses'),
};

export function trafficMeans(
  { target, output, name, writes, asRecorded }: Values<typeof trafficOptions>,
  words: readonly (string | string[])[],
): TrafficOptions {
  const files = words.flat();
  return {
    files,
    target: target ?? null,
    output: output ?? null,
    profileName: name ?? nameOf(output ?? files[0] ?? ''),
    writes: writes.includes('all') ? 'all' : writes,
    asRecorded,
  };
}

/** A name that a load profile may have, from that of a file. */
function nameOf(file: string): string {
  const plain = (file.split(/[/\\]/).pop() ?? '')
    .replace(/\.\w+$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 40);
  return plain === '' ? 'traffic' : plain;
}

function profileName(text: string, option: string): string {
  if (loadProfileSchema.shape.name.safeParse(text).success) return text;
  throw wrong(`${option} “${text}”: a name is lower-case letters, digits and dashes.`);
}
