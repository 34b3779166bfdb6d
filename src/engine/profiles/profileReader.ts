import path from 'node:path';
import type { FlameSentence } from '../../calltree/sentence/sentenceParts.ts';
import { knownCures } from '../../calltree/sentence/knownCures.ts';
import { coverageNotes } from '../../calltree/cpuCoverage.ts';
import { treeSentence } from '../../calltree/sentence/treeSentence.ts';
import { functionAt } from '../../calltree/totals.ts';
import type { CallTree } from '../../model/domain/callTree.ts';
import { failure } from '../../model/domain/failure.ts';
import type { ProfileHead } from '../../model/domain/flame.ts';
import { endingOf, writableFormat, writableFormats } from '../calltree/formats/profileFormats.ts';
import { type ProfileParts, prepareProfile, shownEvent } from './profileParts.ts';
import { type OpenedFile, openFile, treeNotes } from './openedFile.ts';
import type { ProfileInput, ProfileQueries } from './profileMessages.ts';
import type { StoredProfile } from './storedProfile.ts';
import type { WantedProfile } from './writtenProfile.ts';

/*
 * Opening a file waits for this module to load first. So only what reads files is imported here; the rest, which with all its schemas takes longer to load than
 * a small file to be read, is loaded when it is asked for.
 */

type Query = ProfileQueries;

/** Bytes of one packed node without its weights, and of one weight; about, as columns that hold nothing are left out. */
const packedNodeBytes = 10;
const packedWeightBytes = 6;
/** Bytes of one packed sample: time, node, thread, event, weight, state. */
const packedSampleBytes = 26;

interface Opened {
  head: ProfileHead;
  parts: ProfileParts;
  assetsDir: string;
}

/** One recording, read once, and the answers about it. */
export class ProfileReader {
  #opened: Opened | null = null;

  /** Reads the recording; every failure is a `FailureError` with a sentence. */
  async open({ profileId, input, assetsDir }: Query['open']['params']): Promise<ProfileHead> {
    const recording = input.kind === 'recording' ? input.record : null;
    const { tree, format, requests, hint, notes } = await read(input);
    const parts = prepareProfile(tree);
    const head: ProfileHead = {
      profileId,
      recording,
      title: input.kind === 'recording' ? input.record.title : path.basename(input.path),
      format,
      events: parts.events,
      defaultEvent: parts.defaultEvent,
      nodeCount: tree.nodeCount,
      functionCount: tree.functions.name.length,
      sampleCount: tree.samples?.node.length ?? 0,
      threads: tree.threads,
      states: tree.states ?? [],
      requests,
      durationMs: recording?.durationMs ?? sampledMs(tree.samples?.timeUs),
      notes: [...(recording?.notes ?? []), ...notes, ...treeNotes(parts.tree), ...knownCures(parts.tree, parts.defaultEvent)],
      // Packing takes its time, and a page asks for what is wide enough to see first.
      treeBytes: tree.nodeCount * (packedNodeBytes + packedWeightBytes * tree.events.length),
      sampleBytes: (tree.samples?.node.length ?? 0) * packedSampleBytes,
      hint,
      exports: writableFormats.map(({ id, label }) => ({ id, label })),
    };
    this.#opened = { head, parts, assetsDir };
    return head;
  }

  async piece({ part, event, index }: Query['piece']['params']): Promise<Query['piece']['result']> {
    const { parts, head } = this.#open();
    const bytes =
      part === 'skeleton' ? parts.skeleton(event ?? head.defaultEvent) : part === 'tree' ? parts.packedTree() : parts.packedSamples();
    if (bytes === null) {
      throw failure(
        'profile-part',
        part === 'samples' ? 'This recording does not tell the order of time.' : `This recording has no event “${event ?? ''}”.`,
        'Choose another view or event.',
      );
    }
    // What is wide enough to see is small and goes as one piece.
    const size = part === 'skeleton' ? bytes.length : (await import('../../model/domain/flame.ts')).pieceBytes;
    const piece = bytes.subarray(index * size, (index + 1) * size);
    return { data: Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('base64'), last: (index + 1) * size >= bytes.length };
  }

  frame({ func }: Query['frame']['params']): Query['frame']['result'] {
    const { functions } = this.#open().parts.tree;
    if (functions.name[func] === undefined)
      throw failure('profile-frame', 'There is no such function in this recording.', 'Open the recording again.');
    return functionAt(functions, func);
  }

  async lines(): Promise<Query['lines']['result']> {
    const { parts, head } = this.#open();
    const { lineTable } = await import('../../calltree/lineTable.ts');
    return lineTable(parts.tree, head.requests);
  }

  async export({ format, event }: Query['export']['params']): Promise<Query['export']['result']> {
    const { head } = this.#open();
    const ending = endingOf(writableFormat(format));
    const bytes = await this.written({ format, event, allEvents: true, sourceRoots: [] });
    const suggestedName = `${fileName(head.title)}${event === '' ? '' : `-${fileName(event)}`}${ending}`;
    return { data: Buffer.from(bytes).toString('base64'), suggestedName };
  }

  /** The recording in another format. */
  async written(wanted: WantedProfile): Promise<string | Uint8Array> {
    const { parts, head, assetsDir } = this.#open();
    const { writtenProfile } = await import('./writtenProfile.ts');
    return writtenProfile(parts, head, assetsDir, wanted);
  }

  /** What the event comes to, or the one that is shown first. */
  sentence(event: string | null): FlameSentence {
    const { parts, head } = this.#open();
    return treeSentence(parts.tree, shownEvent(parts, event), head.requests);
  }

  /** The recording with the roles of its nodes. */
  get tree(): CallTree {
    return this.#open().parts.tree;
  }

  #open(): Opened {
    if (this.#opened === null) throw failure('profile-closed', 'This recording is not open.', 'Open it first.');
    return this.#opened;
  }
}

function fileName(text: string): string {
  return (
    text
      .replace(/[^\p{L}\p{N}.=-]+/gu, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 80) || 'recording'
  );
}

function sampledMs(timeUs: Float64Array | undefined): number | null {
  const last = timeUs?.at(-1);
  return last === undefined ? null : last / 1000;
}

async function read(input: ProfileInput): Promise<StoredProfile & Pick<OpenedFile, 'notes'>> {
  if (input.kind === 'file') {
    return { ...(await openFile(input.path)), requests: null, hint: null };
  }
  const { readStored } = await import('./storedProfile.ts');
  const { folder, record, process = null } = input;
  const stored = await readStored(folder, record, process);
  // What the kernel counted of all processes says nothing of one.
  return { ...stored, notes: process === null ? coverageNotes(record.cpu, stored.tree) : [] };
}
