import { compacted, literalPattern } from '../../model/domain/plainText.ts';
import path from 'node:path';
import { attempt } from '../../model/domain/attempt.ts';
import { readBoundedText } from '../files/boundedFile.ts';
import type { LiveKind } from '../../model/domain/setting.ts';

/** A line of a configuration file that sets, or hands on, what is looked for. */
export interface ConfiguredPlace {
  file: string;
  /** From 1. */
  line: number;
  /** The part of the line that says it, shortened: the rest may hold a password. */
  text: string;
}

/** What is looked for: an environment variable by its name, and properties of frameworks by what the setting is in the app. */
export interface Wanted {
  variable: string | null;
  kind: LiveKind;
}

const largestFile = 256 * 1024;
const longestText = 80;

/** Files that set environment variables, one `NAME=value` (or `NAME: value`) a line. */
const environmentFiles = ['.env', '.env.local', '.env.development', '.env.production', 'Dockerfile', 'Procfile'] as const;
const composeFiles = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml'] as const;
/** Where Spring Boot and Quarkus look, from the folder of the app. */
const propertyFolders = ['', 'config', 'src/main/resources', 'src/main/resources/config'] as const;
const propertyFiles = ['application.properties', 'application.yml', 'application.yaml'] as const;

/**
 * Properties by what they set, in the relaxed form of Spring Boot: lower case, without dashes and underscores.
 * Sources: Spring Boot’s “Common Application Properties”, Quarkus’ “All configuration options”, HikariCP’s own names.
 */
const properties: Readonly<Record<Exclude<LiveKind, 'bouncer' | 'no'>, readonly string[]>> = {
  pool: [
    'spring.datasource.hikari.maximumpoolsize',
    'spring.datasource.dbcp2.maxtotal',
    'spring.datasource.tomcat.maxactive',
    'spring.r2dbc.pool.maxsize',
    'hibernate.c3p0.maxsize',
    'quarkus.datasource.jdbc.maxsize',
    'maximumpoolsize',
  ],
  threads: [
    'server.tomcat.threads.max',
    'server.tomcat.maxthreads',
    'server.jetty.threads.max',
    'server.jetty.maxthreads',
    'server.undertow.threads.worker',
    'quarkus.threadpool.maxthreads',
  ],
};

/** Looks through the usual files of these folders; what cannot be read is left out. Each line is named once, in the order of the folders and files. */
export function configuredPlaces(folders: readonly string[], wanted: Wanted): ConfiguredPlace[] {
  const found: ConfiguredPlace[] = [];
  const look = (file: string, matching: (lines: readonly string[]) => (string | null)[]): void => {
    for (const [index, text] of matching(readLines(file)).entries())
      if (text !== null) found.push({ file, line: index + 1, text: compacted(text, longestText) });
  };
  for (const folder of folders) {
    if (wanted.variable !== null) {
      const { variable } = wanted;
      for (const name of [...environmentFiles, ...composeFiles]) look(path.join(folder, name), (lines) => settingLines(lines, variable));
    }
    for (const below of propertyFolders) {
      for (const name of propertyFiles)
        look(path.join(folder, below, name), (lines) => propertyLines(lines, wanted, name.endsWith('.properties')));
    }
  }
  return found;
}

function readLines(file: string): string[] {
  return attempt(() => readBoundedText(file, { largestBytes: largestFile }).split(/\r?\n/), []);
}

function isComment(line: string): boolean {
  return /^\s*(#|\/\/|!)/.test(line);
}

/** For each line what it sets: `NAME=…`, `export NAME=…`, `ENV NAME …`, `- NAME=…` and `NAME: …`; null for the others. */
function settingLines(lines: readonly string[], variable: string): (string | null)[] {
  const sets = new RegExp(`(?:^|[\\s"'-])(${literalPattern(variable)}["']?(?:\\s*[=:]\\s*|\\s+)["']?[^\\s"']*)`);
  return lines.map((line) => (isComment(line) ? null : (sets.exec(line)?.[1]?.replace(/["']/g, '') ?? null)));
}

/** For each line the property that it sets, or how it hands the variable on (`${DB_POOL_SIZE:10}`); null for the others. */
function propertyLines(lines: readonly string[], { variable, kind }: Wanted, flat: boolean): (string | null)[] {
  const names = kind === 'no' || kind === 'bouncer' ? [] : properties[kind];
  const keys = flat ? lines.map((line) => /^\s*([^\s=:#!]+)\s*[=:]/.exec(line)?.[1] ?? null) : yamlKeys(lines);
  const handsOn = variable === null ? null : new RegExp(`\\$\\{${literalPattern(variable)}(?::[^}]*)?\\}`);
  return lines.map((line, index) => {
    if (isComment(line)) return null;
    const key = keys[index] ?? null;
    if (key !== null && names.includes(key.toLowerCase().replace(/[-_]/g, ''))) return line;
    return handsOn?.exec(line)?.[0] ?? null;
  });
}

/** The dotted key of each line of a YAML mapping that has a value; null for the others. Enough for configuration: no flow style, no anchors. */
function yamlKeys(lines: readonly string[]): (string | null)[] {
  const above: { indent: number; key: string }[] = [];
  return lines.map((line) => {
    const match = /^(\s*)(["']?)([A-Za-z0-9_.-]+)\2\s*:(\s.*)?$/.exec(line);
    if (match === null || isComment(line)) return null;
    const indent = match[1]?.length ?? 0;
    while (above.length > 0 && (above.at(-1)?.indent ?? 0) >= indent) above.pop();
    above.push({ indent, key: match[3] ?? '' });
    return match[4]?.trim() ? above.map((one) => one.key).join('.') : null;
  });
}
