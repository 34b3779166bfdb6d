import path from 'node:path';
import { attempt } from '../../model/domain/attempt.ts';
import { type SettingSpec, type SettingValue, isSetByProbe, liveKindOf, watchedPartOf } from '../../model/domain/setting.ts';
import type { WhereToSet } from '../../model/domain/tuning.ts';
import { largestTextBytes, readBoundedText } from '../files/boundedFile.ts';
import { type DeclaredTarget, workingDirectory } from './catalog.ts';
import { configuredPlaces } from './configuredPlaces.ts';
import { nodeAt, placeOf, readJsonText } from './jsonPlace.ts';
import { workspaceFileName } from './workspaceFile.ts';

/** More places than these are not named: the first ones are where people look. */
const mostPlaces = 4;

/**
 * Where a value of a setting is to be written down, so that the target has it without Benchside: the environment variable or the arguments that carry
 * it, and the files of the target that speak of it already, as `file:line`. For a target of the workspace, `file` and `line` are those of
 * its default in benchside.json; a bundled sample has none of its own.
 */
export function whereToSet(declared: DeclaredTarget, setting: string, value: SettingValue): WhereToSet {
  const { target, origin, baseDir } = declared;
  const label = target.label ?? target.id;
  const nowhere = { setting, value, file: null, line: null };
  const spec = target.settings[setting];
  if (spec === undefined) {
    if (setting === 'instances')
      return {
        ...nowhere,
        how: `Run ${value} ${value === 1 ? 'process' : 'processes'} of ${label} behind one address: a load balancer, a process manager or a cluster.`,
      };
    return { ...nowhere, how: `${label} has no setting “${setting}”; it has: ${Object.keys(target.settings).join(', ') || 'none'}.` };
  }
  const folder = workingDirectory(declared);
  const places = configuredPlaces([...new Set([folder, baseDir])], { variable: spec.env ?? null, kind: liveKindOf(setting, spec) });
  const named = places.slice(0, mostPlaces).map((place) => `${relative(place.file, baseDir)}:${place.line} (${place.text})`);
  const also =
    named.length === 0
      ? ''
      : ` It is spoken of in ${named.join(', ')}${places.length > mostPlaces ? ` and ${places.length - mostPlaces} more places` : ''}.`;
  const place = origin === 'workspace' ? defaultPlace(path.join(baseDir, workspaceFileName), target.id, setting) : null;
  return { setting, value, how: `${carrier(setting, spec, value)}${also}`, file: place?.file ?? null, line: place?.line ?? null };
}

/** What brings the value to the process, as a sentence. */
function carrier(setting: string, spec: SettingSpec, value: SettingValue): string {
  const given = (spec.arguments ?? []).map((argument) => argument.replaceAll('{value}', String(value)));
  const ways = [
    ...(spec.env === undefined ? [] : [`environment variable ${spec.env}=${value}`]),
    ...(watchedPartOf(setting, spec) === 'bouncer' ? [`default_pool_size = ${value} of PgBouncer`] : []),
    ...(isSetByProbe(setting, spec)
      ? [`size ${value} where its code or its configuration makes its ${watchedPartOf(setting, spec) ?? setting}`]
      : []),
    ...(given.length === 0 ? [] : [`${given.length === 1 ? 'argument' : 'arguments'} ${given.join(' ')}`]),
  ];
  const text = ways.join(', and ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function relative(file: string, baseDir: string): string {
  const inside = path.relative(baseDir, file);
  return inside.startsWith('..') ? file : inside;
}

/** Where benchside.json gives the setting's default: the line to change. Null when the file cannot be read or does not have it. */
function defaultPlace(file: string, targetId: string, setting: string): { file: string; line: number } | null {
  const text = attempt(() => readBoundedText(file, { largestBytes: largestTextBytes, within: path.dirname(file) }), '');
  const read = readJsonText(text);
  if ('phrase' in read) return null;
  const { tree } = read;
  const targets = nodeAt(tree, ['targets'])?.children?.[1]?.children ?? [];
  const index = targets.findIndex((node) =>
    node.children?.some((property) => property.children?.[0]?.value === 'id' && property.children[1]?.value === targetId),
  );
  const node = index === -1 ? undefined : nodeAt(tree, ['targets', index, 'settings', setting, 'default']);
  return node === undefined ? null : { file, line: placeOf(text, node.offset).line };
}
