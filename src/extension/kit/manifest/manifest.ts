import * as z from 'zod';
import { type AgentTool, agentTools } from '../../../model/agents/agentTools.ts';
import { type CommandName, commandId } from '../commandId.ts';
import {
  colourIds,
  configurationSection,
  flameViewTypes,
  panelViewType,
  recordingScheme,
  serverProviderId,
  storeFolders,
  toolIcons,
  toolNames,
  toolPrefix,
  workspaceFileName,
} from '../ids.ts';
import { type Place, commands, menus } from './commands.ts';
import { all, oneRow } from './conditions.ts';
import { type Setting, settings } from './settings.ts';
import { taskContributions } from './tasks.ts';
import { viewContributions } from './views.ts';
import { walkthroughs } from './walkthrough.ts';

/** Endings of the files that can be read as profiles, such as `.pb.gz`. */
interface ProfileEndings {
  /** The editor, or another extension, has a viewer of its own for them: the flame graph is offered in addition. */
  offered: readonly string[];
  /** The flame graph opens them. */
  opened: readonly string[];
}

/** What of package.json is written from the tables of this folder: its members of these names, whole. */
export function writtenManifest(profiles: ProfileEndings): Record<'activationEvents' | 'capabilities' | 'contributes', object> {
  return {
    // Of a folder that declares targets, or has runs, lenses and the palette know without a command.
    activationEvents: [
      `onWebviewPanel:${panelViewType}`,
      `workspaceContains:${workspaceFileName}`,
      ...Object.values(storeFolders).map((folder) => `workspaceContains:${folder}`),
    ],
    capabilities: {
      untrustedWorkspaces: {
        supported: 'limited',
        description:
          'In Restricted Mode runs can be looked at and the bundled samples can be run; targets that this workspace declares in benchside.json are not started.',
        restrictedConfigurations: allSettings.filter(({ scope }) => scope === 'machine').map(({ id }) => id),
      },
      virtualWorkspaces: { supported: false, description: 'Benchside starts processes on files of this machine.' },
    },
    contributes: {
      ...ofCommands(profiles),
      ...viewContributions,
      configuration: {
        title: 'Benchside',
        properties: Object.fromEntries(allSettings.map(({ id, ...setting }, index) => [id, { ...setting, order: index + 1 }])),
      },
      configurationDefaults: {
        // Ports of the bundled programs, by their command lines.
        'remote.portsAttributes': {
          [String.raw`[\\/]benchside\.benchside(-\d|[\\/])`]: { label: 'Benchside', onAutoForward: 'ignore' },
        },
      },
      // Themes and users can change them.
      colors: [
        {
          id: colourIds.sourceMark,
          description: 'Text before a line of source that takes 5 % or more in the flame graph on show.',
          defaults: { dark: '#e8a557', light: '#8a4600', highContrast: '#ffb870', highContrastLight: '#6b3500' },
        },
        {
          id: colourIds.quietSourceMark,
          description: 'Text before a line of source that takes less than 5 %, or whose figures are stale.',
          defaults: { dark: '#9d9d9d', light: '#5f5f5f', highContrast: '#d4d4d4', highContrastLight: '#292929' },
        },
      ],
      customEditors: [
        flameEditor(flameViewTypes.v8Profile, profiles.offered, 'option'),
        flameEditor(flameViewTypes.profile, profiles.opened, 'default'),
        flameEditor(flameViewTypes.recording, [`.${recordingScheme}`], 'default'),
      ],
      resourceLabelFormatters: [{ scheme: recordingScheme, formatting: { label: '${query.title}', separator: '/' } }],
      languages: [{ id: 'jsonc', filenames: [workspaceFileName] }],
      jsonValidation: [
        { fileMatch: workspaceFileName, url: './schemas/benchside.schema.json' },
        { fileMatch: 'profiles/experiments/*.json', url: './schemas/experiment.schema.json' },
      ],
      walkthroughs,
      ...taskContributions,
      languageModelTools: languageModelTools(),
      // The folder is called as the skill is.
      chatSkills: [{ path: './skills/benchside/SKILL.md' }],
      mcpServerDefinitionProviders: [{ id: serverProviderId, label: 'Benchside' }],
    },
  };
}

const allSettings = Object.entries<Setting>(settings).map(([name, setting]) => ({ id: `${configurationSection}.${name}`, ...setting }));

/** An editor of flame graphs. */
const flameEditor = (viewType: string, endings: readonly string[], priority: 'option' | 'default') => ({
  viewType,
  displayName: 'Flame Graph (Benchside)',
  selector: endings.map((ending) => ({ filenamePattern: `*${ending}` })),
  priority,
});

/** Where the explorer offers the flame graph of a file. */
function explorerPlace({ offered, opened }: ProfileEndings): Place {
  const endings = [...offered, ...opened].map((ending) => ending.replaceAll('.', '\\.')).join('|');
  return {
    menu: 'explorer/context',
    group: 'navigation@30',
    when: all('!explorerResourceIsFolder', `resourceFilename =~ /(${endings})$/i`, oneRow),
  };
}

/** Commands with their keys and menus. */
function ofCommands(profiles: ProfileEndings): Record<'commands' | 'keybindings' | 'menus', object> {
  const listed = Object.entries(commands).map(([name, one]) => ({ ...one, command: commandId(name as CommandName) }));
  const placed = [
    ...listed.flatMap(({ command, places }) => places.map((place) => ({ command, ...place }))),
    { command: commandId('openFlameGraph'), ...explorerPlace(profiles) },
  ];
  const itemsOf = (menu: Place['menu']): object[] => placed.filter((item) => item.menu === menu).map(({ menu: _, ...item }) => item);
  return {
    commands: listed.map(({ command, title, icon, enablement }) => ({ command, title, category: 'Benchside', icon, enablement })),
    keybindings: itemsOf('keybindings'),
    menus: {
      ...Object.fromEntries(menus.map((menu) => [menu, itemsOf(menu)])),
      commandPalette: listed.flatMap(({ command, palette }) => (palette === undefined ? [] : [{ command, when: palette }])),
    },
  };
}

/** The tools for language models, as they follow from what the model declares. */
function languageModelTools(): object[] {
  return toolNames.map((name) => {
    const { title, description, input }: AgentTool = agentTools[name];
    const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
    return {
      name: `${toolPrefix}${name}`,
      // What a person writes after a `#`: `benchsideStartRun` for `start_run`.
      toolReferenceName: `benchside${name.replace(/(?:^|_)(\w)/g, (_all, first: string) => first.toUpperCase())}`,
      displayName: `Benchside: ${title}`,
      modelDescription: description,
      userDescription: `${description.split('. ')[0] ?? ''}.`.replace(/\.\.$/, '.'),
      canBeReferencedInPrompt: true,
      icon: toolIcons[name],
      tags: ['benchside', 'performance'],
      inputSchema,
    };
  });
}
