import { sentenceText } from '../../calltree/sentence/sentenceParts.ts';
import { treeSentence } from '../../calltree/sentence/treeSentence.ts';
import type { ProfileHead } from '../../model/domain/flame.ts';
import { writableFormat } from '../calltree/formats/profileFormats.ts';
import { functionFiles } from './functionFiles.ts';
import { type ProfileParts, shownEvent } from './profileParts.ts';

/** What is asked for: an event by its name, or the one that is shown first; all events, where the format holds several, or that one alone. */
export interface WantedProfile {
  format: string;
  event: string | null;
  allEvents: boolean;
  /** Absolute paths of additional folders with sources. */
  sourceRoots: readonly string[];
}

/** The recording in another format; fails where there is no such format, or where it has no event of that name. */
export async function writtenProfile(
  parts: ProfileParts,
  head: ProfileHead,
  assetsDir: string,
  { format, event: name, allEvents, sourceRoots }: WantedProfile,
): Promise<string | Uint8Array> {
  const { tree } = parts;
  const event = shownEvent(parts, name);
  return writableFormat(format).write({
    tree,
    event,
    events: allEvents ? tree.events : [event],
    title: head.title,
    sentence: () => sentenceText(treeSentence(tree, event, head.requests).headline),
    fileOf: functionFiles([...new Set([...(head.recording?.sourceRoots ?? []), ...sourceRoots])]),
    page: { parts, head, assetsDir },
  });
}
