import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { diffTrees } from '../calltree/diffTrees.ts';
import type { DiffSide } from '../calltree/diffTrees.ts';
import { sentenceText } from '../calltree/sentence/sentenceParts.ts';
import type { FlameSentence } from '../calltree/sentence/sentenceParts.ts';
import { diffSentence, treeSentence } from '../calltree/sentence/treeSentence.ts';
import { withRoles } from '../calltree/stackRoles.ts';
import { chooseEvent } from '../calltree/totals.ts';
import { writeCollapsed } from '../engine/calltree/writeCollapsed.ts';
import { writeDiffCollapsed, writeDiffJson, writeDiffSvg } from '../engine/calltree/writeDiff.ts';
import { writeFunctionJson } from '../engine/calltree/writeFunctionJson.ts';
import { writePprof } from '../engine/calltree/writePprof.ts';
import { writeSpeedscope } from '../engine/calltree/writeSpeedscope.ts';
import { writeSvg } from '../engine/calltree/writeSvg.ts';
import type { ProfileInput } from '../engine/profiles/profileMessages.ts';
import { ProfileReader } from '../engine/profiles/profileReader.ts';
import { functionFiles } from '../engine/profiles/functionFiles.ts';
import { openFile, treeNotes } from '../engine/profiles/openedFile.ts';
import { findRecording, openRecording } from '../engine/profiles/recordingFiles.ts';
import { recordedRequests } from '../model/recordingSummary.ts';
import { failure } from '../model/failure.ts';
import type { Command } from './arguments.ts';
import type { Output } from './output.ts';

type FlameGraphCommand = Extract<Command, { name: 'flamegraph' }>;

/**
 * Reads a recording (or two, to compare them) and writes it in another form, to a file or to `stdout`. Needs no engine: nothing is started and
 * nothing is kept.
 */
export async function flameGraph(command: FlameGraphCommand, assetsDir: string, out: Pick<Output, 'document' | 'tell'>): Promise<void> {
  const tell = (text: string): void => out.tell(text);
  const input = await inputOf(command.source, command.workspace, command.trials[0] ?? null);
  const output =
    command.diff === null ? await render(command, input, assetsDir, tell) : await renderDiff(command, input, command.diff, tell);
  if (command.output === null) {
    await out.document(output);
    return;
  }
  const file = path.resolve(command.output);
  try {
    writeFileSync(file, output);
  } catch (error) {
    throw failure(
      'output-not-written',
      `The flame graph could not be written to ${file}: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** A file where there is one of that name or a path is meant; else a recording in the folder of runs. */
async function inputOf(source: string, workspace: string, trial: string | null): Promise<ProfileInput> {
  const file = path.resolve(source);
  if (existsSync(file) || /[/\\.]/.test(source)) return { kind: 'file', path: file };
  return { kind: 'recording', ...(await findRecording(path.resolve(workspace, '.benchside'), source, trial)) };
}

/** One side, read, with what its stacks wait for, and what must be known of it. */
interface Side extends DiffSide {
  notes: string[];
}

async function open(input: ProfileInput): Promise<Side> {
  if (input.kind === 'file') {
    const { tree, notes } = await openFile(input.path);
    const title = path.basename(input.path);
    return { tree: withRoles(tree), requests: null, title, notes: notes.map((note) => `${title}: ${note}`) };
  }
  const { folder, record } = input;
  if (record.recorder === 'clinic-doctor') {
    throw failure(
      'recording-without-stacks',
      'Clinic Doctor records no stacks: there is no flame graph of it.',
      'Choose a recording of another recorder.',
    );
  }
  const tree = await openRecording(folder, record);
  const { title } = record;
  const requests = recordedRequests(record.load, record.durationMs);
  return { tree: withRoles(tree), requests, title, notes: treeNotes(tree).map((note) => `${title}: ${note}`) };
}

/** pprof and speedscope hold several events; they get all of them unless one was asked for. */
async function render(
  { format, event: asked, workspace }: FlameGraphCommand,
  input: ProfileInput,
  assetsDir: string,
  tell: (text: string) => void,
): Promise<string | Uint8Array> {
  const { tree: recording, title, requests, notes } = await open(input);
  const event = chooseEvent(recording, asked);
  const sentence = treeSentence(recording, event, requests);
  tellOf(sentence, notes, tell);
  const events = asked === null ? recording.events : [event];
  switch (format) {
    case 'svg':
      return writeSvg(recording, event, title);
    case 'collapsed':
      return writeCollapsed(recording, event);
    case 'pprof':
      return writePprof(recording, events);
    case 'speedscope':
      return writeSpeedscope(recording, events, title);
    case 'json':
      return writeFunctionJson(recording, event, functionFiles(rootsOf(input, workspace)), sentenceText(sentence.headline));
    case 'html': {
      const reader = new ProfileReader();
      const head = await reader.open({ profileId: 'file', input, assetsDir });
      const { data } = await reader.export({ format, event: asked ?? head.defaultEvent });
      return Buffer.from(data, 'base64');
    }
  }
}

/** Where sources are looked for: the folders of the recorded target, and the folder of this workspace. */
function rootsOf(input: ProfileInput, workspace: string): string[] {
  return [...new Set([...(input.kind === 'recording' ? input.record.sourceRoots : []), path.resolve(workspace)])];
}

async function renderDiff(
  { format, event, normalise, trials, workspace }: FlameGraphCommand,
  input: ProfileInput,
  other: string,
  tell: (text: string) => void,
): Promise<string> {
  const otherInput = await inputOf(other, workspace, trials[1] ?? trials[0] ?? null);
  const [a, b] = [await open(input), await open(otherInput)];
  const diff = diffTrees(a, b, event, normalise);
  const sentence = diffSentence(a, b, diff);
  tellOf(sentence, [...a.notes, ...b.notes], tell);
  if (format === 'svg') return writeDiffSvg(diff);
  return format === 'json' ? writeDiffJson(diff, sentenceText(sentence.headline)) : writeDiffCollapsed(diff);
}

/** The answer comes before the picture; on standard output only the document stands. */
function tellOf({ headline, more }: FlameSentence, notes: readonly string[], tell: (text: string) => void): void {
  tell(`${sentenceText(headline)}.`);
  if (more.length > 0) tell(sentenceText(more));
  for (const note of notes) tell(note);
}
