import { type FromFlame, type ProfilePart, type ToFlame, profileHeadSchema } from '../../../src/model/domain/flame.ts';
import type { FlameChannel } from './flameChannel.ts';

/** Ids of the page's `<script>` elements: the head as JSON, the packed tree and, where there are any, the packed samples in base64. */
export const dataIds = { head: 'flame-head', tree: 'flame-tree', samples: 'flame-samples' } as const;

/** The channel of a page that carries its recording: it answers itself, and saves pictures as downloads. */
export function embeddedChannel(page: Document): FlameChannel {
  let callback: (message: ToFlame) => void = () => undefined;
  // Later, as from any other channel: the page is not done with asking.
  const answer = (message: ToFlame): void => void setTimeout(() => callback(message));
  return {
    hosted: false,
    listen: (given) => {
      callback = given;
      return () => (callback = () => undefined);
    },
    post: (message) => {
      if (message.type === 'savePicture') download(page, message.name, message.png);
      else if (message.type === 'copyText') void navigator.clipboard?.writeText(message.text).catch(() => undefined);
      else if (message.type === 'ready') answer(unlessDamaged(() => openMessage(page)));
      else if (message.type === 'readPiece') answer(unlessDamaged(() => pieceMessage(page, message)));
    },
    // What the browser keeps with the page in this tab's history outlives a reload, also of a file.
    kept: () => (history.state as { flame?: unknown } | null)?.flame,
    keep: (flame) => history.replaceState({ flame }, ''),
  };
}

function openMessage(page: Document): ToFlame {
  const head = profileHeadSchema.parse(JSON.parse(page.getElementById(dataIds.head)?.textContent ?? ''));
  const hasSamples = page.getElementById(dataIds.samples) !== null;
  // Everything is here: there is nothing to gain from the wide nodes first.
  return { type: 'open', side: 'a', head: { ...head, treeBytes: 0, sampleBytes: 0, sampleCount: hasSamples ? head.sampleCount : 0 } };
}

function pieceMessage(page: Document, { side, profileId, part, event, index }: Extract<FromFlame, { type: 'readPiece' }>): ToFlame {
  // There is only one piece; a request for more gets nothing.
  const data = index === 0 ? bytesOf(page, part) : new Uint8Array();
  return { type: 'piece', side, profileId, part, event, index, last: index === 0, data };
}

function bytesOf(page: Document, part: ProfilePart): Uint8Array {
  const text = atob((page.getElementById(part === 'samples' ? dataIds.samples : dataIds.tree)?.textContent ?? '').trim());
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}

function unlessDamaged(read: () => ToFlame): ToFlame {
  try {
    return read();
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const cure = 'Export the page again.';
    const message = 'The recording in this page is damaged.';
    return { type: 'failure', side: 'a', failure: { code: 'flame-page-damaged', message, cure, detail } };
  }
}

function download(page: Document, name: string, bytes: Uint8Array): void {
  const address = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'image/png' }));
  const link = page.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
