import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse, type ParseError } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import {
  colourIds,
  commandIds,
  configurationSection,
  contextKeys,
  flameViewTypes,
  panelViewType,
  recordingScheme,
  serverProviderId,
  settingNames,
  toolNames,
  viewIds,
} from '../../../src/extension/kit/ids.ts';
import { workspaceTemplate } from '../../../src/extension/targets/workspaceTemplate.ts';
import { withProfileEditors } from '../../../scripts/profileEditors.ts';
import { agentToolNames } from '../../../src/model/agent/agentTools.ts';
import { workspaceFileSchema } from '../../../src/model/target.ts';
import { manifestTools } from '../../support/manifestTools.ts';

const root = resolve(import.meta.dirname, '../../..');
const text = readFileSync(resolve(root, 'package.json'), 'utf8');
const manifest = JSON.parse(text) as {
  icon: string;
  activationEvents: string[];
  contributes: {
    commands: { command: string; title: string; category: string; icon?: string; enablement?: string }[];
    keybindings: { command: string; key: string; when: string }[];
    languageModelTools: object[];
    mcpServerDefinitionProviders: { id: string }[];
    colors: { id: string; defaults: Record<string, string> }[];
    customEditors: { viewType: string; priority: string; selector: { filenamePattern: string }[] }[];
    resourceLabelFormatters: { scheme: string; formatting: { label: string } }[];
    views: { benchside: { id: string }[] };
    viewsContainers: { activitybar: { icon: string }[] };
    viewsWelcome: { view: string; contents: string; when: string }[];
    menus: Record<string, { command: string; when: string }[]>;
    configuration: {
      properties: Record<string, { scope: string; pattern?: string; enum?: string[]; default: string | boolean | string[] }>;
    };
    configurationDefaults: { 'remote.portsAttributes': Record<string, unknown> };
    walkthroughs: { steps: { description: string; media: { svg: string } }[] }[];
  };
};
const { contributes } = manifest;
const commands = new Set(contributes.commands.map(({ command }) => command));

describe('the manifest', () => {
  it('declares exactly the commands that the code registers, each with the category and an icon', () => {
    expect([...commands].sort()).toEqual(Object.values<string>(commandIds).sort());
    for (const command of contributes.commands)
      expect(command).toMatchObject({ category: 'Benchside', icon: expect.stringMatching(/^\$\(/) });
  });

  it('declares the views and the panel’s activation under the code’s names', () => {
    expect(contributes.views.benchside.map(({ id }) => id)).toEqual(Object.values(viewIds));
    expect(manifest.activationEvents).toEqual([`onWebviewPanel:${panelViewType}`]);
  });

  it('declares the tools for language models as the model does, and the server for editors without tools', () => {
    expect([...toolNames]).toEqual(agentToolNames);
    expect(contributes.languageModelTools).toEqual(manifestTools());
    expect(contributes.mcpServerDefinitionProviders.map(({ id }) => id)).toEqual([serverProviderId]);
  });

  it('uses in menus, keys, welcome texts and the walkthrough only commands that exist', () => {
    const used = [
      ...Object.values(contributes.menus)
        .flat()
        .map(({ command }) => command),
      ...contributes.keybindings.map(({ command }) => command),
      ...[...text.matchAll(/command:(benchside\.\w+)/gi)].map(([, command]) => command),
    ];
    expect(used.filter((command) => !commands.has(command ?? ''))).toEqual([]);
  });

  it('offers each kind of row of the Runs view what can be done with it', () => {
    const offered = (viewItem: string): string[] =>
      (contributes.menus['view/item/context'] ?? [])
        .filter(({ when }) => when.includes('benchside.runs'))
        .filter(({ when }) => {
          const pattern = /viewItem =~ \/(.*?)\/(?: |$)/.exec(when)?.[1];
          return pattern === undefined ? when.includes(`viewItem == ${viewItem}`) : new RegExp(pattern).test(viewItem);
        })
        .map(({ command }) => command);
    for (const row of ['run', 'run.pinned', 'run.tuned', 'run.pinned.tuned']) {
      expect(offered(row)).toEqual(expect.arrayContaining([commandIds.openRun, commandIds.renameRun, commandIds.runWithOtherValues]));
      expect(offered(row).includes(commandIds.pinBaseline)).toBe(!row.includes('pinned'));
      expect(offered(row).includes(commandIds.unpinBaseline)).toBe(row.includes('pinned'));
      expect(offered(row).includes(commandIds.applyTuning)).toBe(row.includes('tuned'));
    }
    expect(offered('run.damaged')).toEqual([commandIds.deleteRun]);
    expect(offered('recording')).not.toContain(commandIds.renameRun);
  });

  it('uses in conditions only context keys that the code sets', () => {
    const conditions = [...text.matchAll(/"(?:when|enablement)": "([^"]*)"/g)].map(([, condition]) => condition ?? '');
    const names = new Set(conditions.flatMap((condition) => condition.replace(/view == [\w.]+/g, '').match(/benchside\.\w+/g) ?? []));
    expect([...names].filter((name) => !(Object.values(contextKeys) as string[]).includes(name))).toEqual([]);
  });

  it('has every setting that the code reads, tool paths and addresses for the machine only', () => {
    const properties = contributes.configuration.properties;
    expect(Object.keys(properties).sort()).toEqual(
      Object.values(settingNames)
        .map((name) => `${configurationSection}.${name}`)
        .sort(),
    );
    for (const property of Object.values(properties)) {
      // A switch starts no program and opens no address.
      if (typeof property.default === 'boolean') continue;
      expect(property.scope).toBe('machine');
      if (property.enum !== undefined || Array.isArray(property.default)) continue;
      expect(new RegExp(property.pattern ?? '(?!)').test(String(property.default))).toBe(true);
    }
  });

  it('attaches probes, shows marks in the source and no lenses above functions unless told', () => {
    const { properties } = contributes.configuration;
    expect(properties[`${configurationSection}.${settingNames.probes}`]?.default).toBe(true);
    expect(properties[`${configurationSection}.${settingNames.sourceMarks}`]?.default).toBe(true);
    expect(properties[`${configurationSection}.${settingNames.sourceMarksLens}`]?.default).toBe(false);
  });

  it('leaves V8’s profiles to the editor’s own viewer unless chosen, and opens every other profile', () => {
    const editors = Object.fromEntries(
      contributes.customEditors.map(({ viewType, priority, selector }) => [
        viewType,
        { priority, patterns: selector.map(({ filenamePattern }) => filenamePattern) },
      ]),
    );
    expect(Object.keys(editors).sort()).toEqual(Object.values<string>(flameViewTypes).sort());
    const [v8, other] = [editors[flameViewTypes.v8Profile], editors[flameViewTypes.profile]];
    expect([v8?.priority, other?.priority]).toEqual(['option', 'default']);
    expect(v8?.patterns).toEqual(expect.arrayContaining(['*.cpuprofile', '*.heapprofile']));
    expect(other?.patterns).toEqual(
      expect.arrayContaining(['*.jfr', '*.collapsed', '*.folded', '*.pb.gz', '*.pprof', '*.speedscope.json']),
    );
    expect(editors[flameViewTypes.recording]).toEqual({ priority: 'default', patterns: ['*.benchside-recording'] });
    expect(contributes.resourceLabelFormatters.map(({ scheme }) => scheme)).toEqual([recordingScheme]);
  });

  it('has of profile formats what follows from their list (npm run schemas)', () => {
    expect(manifest).toEqual(withProfileEditors(manifest));
  });

  it('declares the colours that the code uses, for every kind of theme', () => {
    expect(contributes.colors.map(({ id }) => id).sort()).toEqual(Object.values<string>(colourIds).sort());
    for (const { defaults } of contributes.colors)
      expect(Object.keys(defaults).sort()).toEqual(['dark', 'highContrast', 'highContrastLight', 'light']);
  });

  it('accepts an absolute path and refuses a relative one', () => {
    const pattern = new RegExp(contributes.configuration.properties['benchside.nodePath']?.pattern ?? '(?!)');
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
