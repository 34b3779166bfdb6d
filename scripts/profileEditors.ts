import type { EndingUse } from '../src/engine/calltree/formats/profileFormat.ts';
import { profileFormats } from '../src/engine/calltree/formats/profileFormats.ts';

interface Manifest {
  contributes: {
    customEditors: { viewType: string; selector: { filenamePattern: string }[] }[];
    menus: Record<string, { command: string; when: string }[]>;
  };
}

/** The manifest with what follows from the list of formats: which files the flame graph's editors are for, and the menu of the explorer. */
export function withProfileEditors<M extends Manifest>(manifest: M): M {
  const [offered, opened] = [readEndings('offers'), readEndings('opens')];
  const copy = structuredClone(manifest);
  for (const editor of copy.contributes.customEditors) {
    const endings = editor.viewType === 'benchside.flame.v8' ? offered : editor.viewType === 'benchside.flame' ? opened : null;
    if (endings !== null) editor.selector = endings.map((ending) => ({ filenamePattern: `*${ending}` }));
  }
  const pattern = [...offered, ...opened].map((ending) => ending.replaceAll('.', '\\.')).join('|');
  for (const item of copy.contributes.menus['explorer/context'] ?? [])
    if (item.command === 'benchside.openFlameGraph')
      item.when = `!explorerResourceIsFolder && resourceFilename =~ /(${pattern})$/i && !listMultiSelection`;
  return copy;
}

/** The endings of files that are read and that the editor treats so. */
function readEndings(use: EndingUse): string[] {
  const readable = profileFormats.filter(({ read }) => read !== undefined);
  return [...new Set(readable.flatMap(({ endings }) => Object.keys(endings).filter((ending) => endings[ending] === use)))];
}
