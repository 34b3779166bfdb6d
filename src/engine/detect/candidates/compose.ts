import path from 'node:path';
import * as z from 'zod';
import { readYaml } from '../boundedYaml.ts';
import { within } from '../folderFiles.ts';
import { type WayToStart, byFile } from './candidateSource.ts';
import { wayOf } from './dockerfile.ts';
import { keyLine, largestCharacters } from './yamlLines.ts';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const line = z.union([z.string(), z.array(z.string())]).optional();
const serviceSchema = z.object({
  build: z
    .union([z.string(), z.object({ context: z.string().default('.'), dockerfile: z.string().optional() })])
    .optional()
    .catch(undefined),
  command: line.catch(undefined),
  entrypoint: line.catch(undefined),
  environment: z
    .union([z.record(z.string(), scalar), z.array(z.string())])
    .default({})
    .catch({}),
  ports: z
    .array(z.union([z.string(), z.number(), z.object({ target: z.number() })]))
    .default([])
    .catch([]),
});
const fileSchema = z.object({ services: z.record(z.string(), serviceSchema.catch(serviceSchema.parse({}))) });
const mostServices = 100;

/** What compose starts of this folder’s own images, with what it sets for them. A service of a foreign image has nothing here to start. */
export const compose = byFile(/(?:^|\/)(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml$/, (files, file) => {
  const read = fileSchema.safeParse(readYaml(files.text(file) ?? '', largestCharacters));
  if (!read.success) return [];
  return Object.entries(read.data.services)
    .slice(0, mostServices)
    .flatMap(([name, { build, command, entrypoint, environment, ports }]): WayToStart[] => {
      if (build === undefined) return [];
      const { context, dockerfile = 'Dockerfile' } = typeof build === 'string' ? { context: build } : build;
      const folder = path.posix.normalize(within(path.posix.dirname(file), context)).replace(/(?<=.)\/$/, '');
      if (folder.startsWith('..') || path.posix.isAbsolute(folder)) return [];
      const way = wayOf(files, within(folder, dockerfile), folder, { command, entrypoint, env: variablesOf(environment) });
      return way === null
        ? []
        : [{ ...way, file, line: keyLine(files, file, name), what: `services.${name}`, port: portOf(ports) ?? way.port ?? null }];
    });
});

/** `${NAME:-value}` is that value; what only the environment says is left out. */
function variablesOf(given: z.infer<typeof serviceSchema>['environment']): Record<string, string> {
  const pairs = Array.isArray(given)
    ? given.map((one): [string, string | null] =>
        one.includes('=') ? [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)] : [one, null],
      )
    : Object.entries(given).map(([name, value]): [string, string | null] => [name, value === null ? null : String(value)]);
  return Object.fromEntries(
    pairs.flatMap(([name, value]) => {
      const told = value?.replace(/\$\{[A-Za-z_]\w*:?-([^{}$]*)\}/g, '$1');
      return told === undefined || told.includes('$') || !/^[A-Za-z_]\w*$/.test(name) ? [] : [[name, told]];
    }),
  );
}

/** The port of the first mapping as the service has it: `8080:3000` is 3000. */
function portOf([first]: z.infer<typeof serviceSchema>['ports']): number | null {
  if (first === undefined) return null;
  const port = typeof first === 'object' ? first.target : Number(/(\d{1,5})(?:\/\w+)?$/.exec(String(first))?.[1]);
  return Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : null;
}
