import { flameViewTypes, recordingScheme } from '../ids.ts';
import type { Place } from './command.ts';
import { all, editorKey, matches, not, oneRow } from './conditions.ts';

/** Endings of the files that can be read as profiles, such as `.pb.gz`. */
export interface ProfileEndings {
  /** The editor, or another extension, has a viewer of its own for them: the flame graph is offered in addition. */
  offered: readonly string[];
  /** The flame graph opens them. */
  opened: readonly string[];
}

/** The editors of flame graphs. */
export function flameEditors({ offered, opened }: ProfileEndings): object[] {
  const editors: Readonly<Record<keyof typeof flameViewTypes, { endings: readonly string[]; priority: 'option' | 'default' }>> = {
    v8Profile: { endings: offered, priority: 'option' },
    profile: { endings: opened, priority: 'default' },
    recording: { endings: [`.${recordingScheme}`], priority: 'default' },
  };
  return Object.entries(editors).map(([name, { endings, priority }]) => ({
    viewType: flameViewTypes[name as keyof typeof flameViewTypes],
    displayName: 'Flame Graph (Benchside)',
    selector: endings.map((ending) => ({ filenamePattern: `*${ending}` })),
    priority,
  }));
}

/** Where the explorer offers the flame graph of a file. */
export function explorerPlace({ offered, opened }: ProfileEndings): Place {
  const endings = [...offered, ...opened].map((ending) => ending.replaceAll('.', '\\.')).join('|');
  return {
    menu: 'explorer/context',
    group: 'navigation@30',
    when: all(not(editorKey('explorerResourceIsFolder')), matches('resourceFilename', new RegExp(`(${endings})$`, 'i')), oneRow),
  };
}
