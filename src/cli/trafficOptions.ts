import { loadProfileSchema } from '../model/domain/loadProfile.ts';
import { command } from './command.ts';
import { flag, many, one, orNull } from './options.ts';
import { whole, word, wrong } from './values.ts';

function portOrTarget(text: string, option: string): number | string {
  return /^\d+$/.test(text) ? whole(1, 65_535)(text, option) : text;
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

export const trafficCommand = command({
  words: 'traffic [files...]',
  description:
    'a load profile from traffic that is recorded (--record), or from files: a HAR file, access logs (also JSON lines), an OpenAPI file, a Postman collection, a .http file, curl lines or OTLP spans; what writes is left out until it is ticked',
  options: {
    record: one(
      '--record <port|target>',
      'in place of files: puts a proxy in front of a service of this machine, on this port or a target that is started, and records until Ctrl-C',
      portOrTarget,
    ),
    listen: one('--listen <port>', 'the port of that proxy (default: any that is free)', whole(1, 65_535)),
    target: one('-t, --target <id>', 'the target whose database has the keys that are asked for', word),
    output: one('-o, --output <file>', 'where the load profile is written (default: profiles/<name>.json)', word),
    name: one('--name <name>', 'the name of the load profile (default: that of the file)', profileName),
    writes: many('--writes <route>', 'a route that writes and is sent, too, e.g. "POST /orders", or “all”; may be repeated', word),
    asRecorded: flag('--as-recorded', 'as many users at a time as there were, with their think times, in place of a load without pauses'),
  },
  measures: true,
  means: ({ record, listen, target, output, name, writes, asRecorded }, ...files: string[]) => {
    if (record === undefined && files.length === 0) throw wrong('Name a file of traffic, or record some with --record PORT.');
    if (record !== undefined && files.length > 0) throw wrong('Traffic is read from files, or recorded: not both.');
    if (record === undefined && listen !== undefined) throw wrong('--listen is the port of the proxy of --record, which is missing.');
    return {
      files,
      ...orNull({ record, listen, output }),
      target: target ?? (typeof record === 'string' ? record : null),
      profileName: name ?? nameOf(output ?? files[0] ?? 'recorded'),
      writes: writes.includes('all') ? ('all' as const) : writes,
      asRecorded,
    };
  },
});
