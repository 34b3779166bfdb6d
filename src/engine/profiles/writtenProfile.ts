import { sentenceText } from '../../calltree/sentence/sentenceParts.ts';
import { treeSentence } from '../../calltree/sentence/treeSentence.ts';
import type { ProfileExport, ProfileHead } from '../../model/flame.ts';
import { chooseEvent } from '../../calltree/totals.ts';
import { writeCollapsed } from '../calltree/writeCollapsed.ts';
import { writeFunctionJson } from '../calltree/writeFunctionJson.ts';
import { writeHtml } from '../calltree/writeHtml.ts';
import { writePprof } from '../calltree/writePprof.ts';
import { writeSpeedscope } from '../calltree/writeSpeedscope.ts';
import { writeSvg } from '../calltree/writeSvg.ts';
import { functionFiles } from './functionFiles.ts';
import type { ProfileParts } from './profileParts.ts';

/** The recording in another format; fails where it has no event of that name. */
export async function writtenProfile(
  parts: ProfileParts,
  head: ProfileHead,
  assetsDir: string,
  { format, event: name }: { format: ProfileExport; event: string },
): Promise<string | Uint8Array> {
  const { tree } = parts;
  const event = chooseEvent(tree, name);
  switch (format) {
    case 'svg':
      return writeSvg(tree, event, head.title);
    case 'collapsed':
      return writeCollapsed(tree, event);
    case 'pprof':
      return writePprof(tree, tree.events);
    case 'speedscope':
      return writeSpeedscope(tree, tree.events, head.title);
    case 'json':
      return writeFunctionJson(
        tree,
        event,
        functionFiles(head.recording?.sourceRoots ?? []),
        sentenceText(treeSentence(tree, event, head.requests).headline),
      );
    case 'html':
      return writeHtml(parts, { ...head, defaultEvent: event.name }, assetsDir);
  }
}
