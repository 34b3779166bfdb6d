import { type EndingUse, profileFormats } from '../src/engine/calltree/formats/profileFormats.ts';
import { writtenManifest } from '../src/extension/kit/manifest/manifest.ts';

/** What is written of package.json: the extension's tables, with the files that the engine reads as profiles. */
export function manifestParts(): object {
  return writtenManifest({ offered: readEndings('offers'), opened: readEndings('opens') });
}

/** The endings of files that are read and that the editor treats so. */
function readEndings(use: EndingUse): string[] {
  const readable = profileFormats.filter(({ read }) => read !== undefined);
  return [...new Set(readable.flatMap(({ endings }) => Object.keys(endings).filter((ending) => endings[ending] === use)))];
}
