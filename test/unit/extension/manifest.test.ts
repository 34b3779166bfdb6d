import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse, type ParseError } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { commandId } from '../../../src/extension/kit/commandId.ts';
import { flameViewTypes } from '../../../src/extension/kit/ids.ts';
import type { SettingName } from '../../../src/extension/kit/manifest/settings.ts';
import { workspaceTemplate } from '../../../src/extension/targets/workspaceTemplate.ts';
import { workspaceFileSchema } from '../../../src/model/domain/target.ts';

const root = resolve(import.meta.dirname, '../../..');
const manifest = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
  icon: string;
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
  contributes: {
    commands: { command: string; title: string }[];
    customEditors: { viewType: string; priority: string; selector: { filenamePattern: string }[] }[];
    viewsContainers: { activitybar: { icon: string }[] };
    menus: Record<string, { command: string; when: string }[]>;
    configuration: { properties: Record<string, { pattern?: string; default: string | boolean | string[] }> };
    configurationDefaults: { 'remote.portsAttributes': Record<string, unknown> };
    walkthroughs: { steps: { media: { svg: string } }[] }[];
  };
};
const { contributes } = manifest;
const setting = (name: SettingName) => contributes.configuration.properties[`benchside.${name}`];

/** What types say of the manifest is not tried here, and that package.json is what was written of it is a step of `npm run check`. */
describe('the manifest', () => {
  it('has Run Benchmark first of all that the palette finds for “benchside run”, which it lists by title', () => {
    const hidden = new Set(
      (contributes.menus['commandPalette'] ?? []).filter(({ when }) => when === 'false').map(({ command }) => command),
    );
    const found = contributes.commands
      .filter(({ command, title }) => !hidden.has(command) && /\brun/i.test(title))
      .map(({ title }) => title);
    expect(found.sort()[0]).toBe('Run Benchmark');
  });

  it('offers each kind of row of the Results view what can be done with it', () => {
    const offered = (viewItem: string): string[] =>
      (contributes.menus['view/item/context'] ?? [])
        .filter(({ when }) => when.includes('benchside.runs'))
        .filter(({ when }) => {
          const pattern = /viewItem =~ \/(.*?)\/(?: |$)/.exec(when)?.[1];
          return pattern === undefined ? when.includes(`viewItem == ${viewItem}`) : new RegExp(pattern).test(viewItem);
        })
        .map(({ command }) => command);
    for (const row of ['run', 'run.pinned', 'run.tuned', 'run.pinned.tuned']) {
      expect(offered(row)).toEqual(expect.arrayContaining([commandId('openRun'), commandId('renameRun'), commandId('runWithOtherValues')]));
      expect(offered(row).includes(commandId('pinBaseline'))).toBe(!row.includes('pinned'));
      expect(offered(row).includes(commandId('unpinBaseline'))).toBe(row.includes('pinned'));
      expect(offered(row).includes(commandId('applyTuning'))).toBe(row.includes('tuned'));
    }
    expect(offered('run.damaged')).toEqual([commandId('deleteRun')]);
    expect(offered('recording')).not.toContain(commandId('renameRun'));
  });

  it('accepts the default of every setting', () => {
    const patterned = Object.values(contributes.configuration.properties).filter(({ pattern }) => pattern !== undefined);
    expect(patterned.length).toBeGreaterThan(3);
    for (const { pattern = '', default: value } of patterned) expect(new RegExp(pattern).test(String(value))).toBe(true);
  });

  it('lets a workspace that is not trusted name no program and no server', () => {
    const barred = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
    const dangerous: SettingName[] = ['nodePath', 'javaPath', 'k6.path', 'postgres.url', 'postgres.mode', 'postgres.allowedHosts'];
    expect(barred).toEqual(expect.arrayContaining(dangerous.map((name) => `benchside.${name}`)));
  });

  it('attaches probes, shows marks in the source and no lenses above functions unless told', () => {
    const switches: SettingName[] = ['probes', 'sourceMarks.enabled', 'sourceMarks.codeLens'];
    expect(switches.map((name) => setting(name)?.default)).toEqual([true, true, false]);
  });

  it('leaves V8’s profiles to the editor’s own viewer unless chosen, and opens every other profile', () => {
    const editors = Object.fromEntries(
      contributes.customEditors.map(({ viewType, priority, selector }) => [
        viewType,
        { priority, patterns: selector.map(({ filenamePattern }) => filenamePattern) },
      ]),
    );
    const [v8, other] = [editors[flameViewTypes.v8Profile], editors[flameViewTypes.profile]];
    expect([v8?.priority, other?.priority]).toEqual(['option', 'default']);
    expect(v8?.patterns).toEqual(expect.arrayContaining(['*.cpuprofile', '*.heapprofile']));
    expect(other?.patterns).toEqual(
      expect.arrayContaining(['*.jfr', '*.collapsed', '*.folded', '*.pb.gz', '*.pprof', '*.speedscope.json']),
    );
    expect(editors[flameViewTypes.recording]).toEqual({ priority: 'default', patterns: ['*.benchside-recording'] });
  });

  it('accepts an absolute path and refuses a relative one', () => {
    const pattern = new RegExp(setting('nodePath')?.pattern ?? '(?!)');
    expect(['/usr/bin/node', 'C:\\node\\node.exe', '~/bin/node', ''].every((value) => pattern.test(value))).toBe(true);
    expect(['node', './node', '../bin/node'].some((value) => pattern.test(value))).toBe(false);
  });

  it('keeps the editor quiet about ports of the bundled programs and of nothing else', () => {
    const [pattern = ''] = Object.keys(contributes.configurationDefaults['remote.portsAttributes']);
    const matches = (commandLine: string): boolean => new RegExp(pattern).test(commandLine);
    expect(matches('/root/.vscode-server/extensions/benchside.benchside-0.1.0-linux-x64/vendor/postgres/bin/postgres -D x')).toBe(true);
    expect(matches('postgres -D /root/.config/Code/User/globalStorage/benchside.benchside/postgres-18')).toBe(true);
    expect(matches('node /home/me/benchside-demo/server.js')).toBe(false);
  });

  it('points to pictures that exist', () => {
    const pictures = [
      manifest.icon,
      ...contributes.viewsContainers.activitybar.map(({ icon }) => icon),
      ...contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.svg)),
    ];
    for (const picture of pictures) expect(readFileSync(resolve(root, picture)).length).toBeGreaterThan(100);
  });
});

describe('the example benchside.json', () => {
  it('is a workspace file that the engine understands', () => {
    const errors: ParseError[] = [];
    const value: unknown = parse(workspaceTemplate(), errors);
    expect(errors).toEqual([]);
    const file = workspaceFileSchema.parse(value);
    expect(file.targets[0]?.settings['pool']).toMatchObject({ kind: 'number', env: 'DB_POOL_SIZE' });
  });
});
