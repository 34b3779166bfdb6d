import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { frameKinds } from '../../model/callTree.ts';
import { failure } from '../../model/failure.ts';
import { pieceBytes } from '../../model/flame.ts';
import type { ProfileExport, ProfileHead } from '../../model/flame.ts';
import type { DoctorHint, RecordingRecord } from '../../model/recording.ts';
import { lineTable } from '../calltree/lineTable.ts';
import { openProfile } from '../calltree/openProfile.ts';
import { chooseEvent } from '../calltree/totals.ts';
import { writeCollapsed } from '../calltree/writeCollapsed.ts';
import { writeFunctionJson } from '../calltree/writeFunctionJson.ts';
import { writeHtml } from '../calltree/writeHtml.ts';
import { writePprof } from '../calltree/writePprof.ts';
import { writeSpeedscope } from '../calltree/writeSpeedscope.ts';
import { writeSvg } from '../calltree/writeSvg.ts';
import { readDoctorHint } from '../record/clinic/doctorHint.ts';
import { recordedRequests } from '../record/recordWindow.ts';
import { recorderNames } from '../record/recorderNames.ts';
import { formatName } from './formatName.ts';
import { prepareProfile } from './profileParts.ts';
import type { ProfileParts } from './profileParts.ts';
import type { ProfileInput, ProfileQueries } from './profileMessages.ts';
import { openRecording } from './recordingFiles.ts';

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
    const tree = input.kind === 'recording' ? await openRecording(input.folder, input.record) : await openProfile(input.path);
    const parts = prepareProfile(tree);
    const head: ProfileHead = {
      profileId,
      recording,
      title: input.kind === 'recording' ? input.record.title : path.basename(input.path),
      format: recording === null ? await formatName(input.kind === 'file' ? input.path : '') : recorderNames[recording.recorder],
      events: parts.events,
      defaultEvent: parts.defaultEvent,
      nodeCount: tree.nodeCount,
      functionCount: tree.functions.name.length,
      sampleCount: tree.samples?.node.length ?? 0,
      threads: tree.threads,
      states: tree.states ?? [],
      requests: recording === null ? null : recordedRequests(recording.load, recording.durationMs),
      durationMs: recording?.durationMs ?? sampledMs(tree.samples?.timeUs),
      notes: recording?.notes ?? [],
      // Packing takes its time, and a page asks for what is wide enough to see first.
      treeBytes: tree.nodeCount * (packedNodeBytes + packedWeightBytes * tree.events.length),
      sampleBytes: (tree.samples?.node.length ?? 0) * packedSampleBytes,
      hint: await hintOf(input),
    };
    this.#opened = { head, parts, assetsDir };
    return head;
  }

  piece({ part, event, index }: Query['piece']['params']): Query['piece']['result'] {
    const { parts, head } = this.#open();
    const bytes = part === 'skeleton' ? parts.skeleton(event ?? head.defaultEvent) : part === 'tree' ? parts.packedTree() : parts.packedSamples();
    if (bytes === null) {
      throw failure('profile-part', part === 'samples' ? 'This recording does not tell the order of time.' : `This recording has no event “${event ?? ''}”.`, 'Choose another view or event.');
    }
    // What is wide enough to see is small and goes as one piece.
    const size = part === 'skeleton' ? bytes.length : pieceBytes;
    const piece = bytes.subarray(index * size, (index + 1) * size);
    return { data: Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('base64'), last: (index + 1) * size >= bytes.length };
  }

  frame({ func }: Query['frame']['params']): Query['frame']['result'] {
    const { functions } = this.#open().parts.tree;
    const name = functions.name[func];
    if (name === undefined) throw failure('profile-frame', 'There is no such function in this recording.', 'Open the recording again.');
    return { name, file: functions.file[func] ?? '', line: functions.line[func] ?? 0, kind: frameKinds[functions.kind[func] ?? 0] ?? 'other' };
  }

  lines(): Query['lines']['result'] {
    const { parts, head } = this.#open();
    return lineTable(parts.tree, head.requests);
  }

  async export({ format, event }: Query['export']['params']): Promise<Query['export']['result']> {
    const bytes = await this.#written(format, event);
    const data = Buffer.from(bytes).toString('base64');
    return { data, suggestedName: `${fileName(this.#open().head.title)}${event === '' ? '' : `-${fileName(event)}`}.${endings[format]}` };
  }

  async #written(format: ProfileExport, name: string): Promise<string | Uint8Array> {
    const { parts, head, assetsDir } = this.#open();
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
        return writeFunctionJson(tree, event);
      case 'html':
        return writeHtml(parts, { ...head, defaultEvent: event.name }, assetsDir);
    }
  }

  #open(): Opened {
    if (this.#opened === null) throw failure('profile-closed', 'This recording is not open.', 'Open it first.');
    return this.#opened;
  }
}

const endings: Record<ProfileExport, string> = { svg: 'svg', collapsed: 'collapsed', pprof: 'pb.gz', speedscope: 'speedscope.json', json: 'json', html: 'html' };

function fileName(text: string): string {
  return text.replace(/[^\p{L}\p{N}.=-]+/gu, '-').replace(/^-+|-+$/g, '').slice(0, 80) || 'recording';
}

function sampledMs(timeUs: Float64Array | undefined): number | null {
  const last = timeUs?.at(-1);
  return last === undefined ? null : last / 1000;
}

/** What clinic's doctor thinks, where it made the recording. */
async function hintOf(input: ProfileInput): Promise<DoctorHint | null> {
  if (input.kind === 'file' || input.record.recorder !== 'clinic-doctor') return null;
  const file = input.record.files.find(({ format }: RecordingRecord['files'][number]) => format === 'clinic');
  return file === undefined ? null : readDoctorHint(await readFile(path.join(input.folder, path.basename(file.name))));
}
