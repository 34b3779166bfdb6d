import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type DiffSide, diffTrees } from '../calltree/diffTrees.ts';
import { type FlameSentence, sentenceText } from '../calltree/sentence/sentenceParts.ts';
import { diffSentence } from '../calltree/sentence/treeSentence.ts';
import { writableFormat } from '../engine/calltree/formats/profileFormats.ts';
import type { ProfileInput } from '../engine/profiles/profileMessages.ts';
import { ProfileReader } from '../engine/profiles/profileReader.ts';
import { findRecording } from '../engine/profiles/recordingFiles.ts';
import { failure } from '../model/domain/failure.ts';
import type { Given, Places } from './command.ts';
import type { FlameGraphAsked } from './flameGraphOptions.ts';
import type { Output } from './output.ts';
import { writing } from './terminal.ts';

type FlameGraphCommand = Given<FlameGraphAsked>;

/**
 * Reads a recording (or two, to compare them) and writes it in another form, to a file or to `stdout`. Needs no engine: nothing is started and
 * nothing is kept.
 */
export async function flameGraph(
  command: FlameGraphCommand,
  { assetsDir }: Pick<Places, 'assetsDir'>,
  out: Pick<Output, 'document' | 'tell'>,
): Promise<number> {
  const tell = (text: string): void => out.tell(text);
  const input = await inputOf(command, command.source, command.trials[0] ?? null, tell);
  const output =
    command.diff === null ? await render(command, input, assetsDir, tell) : await renderDiff(command, input, command.diff, assetsDir, tell);
  if (command.output === null) {
    await out.document(output);
    return 0;
  }
  const file = path.resolve(command.output);
  writing('output-not-written', `The flame graph could not be written to ${file}`, () => writeFileSync(file, output));
  return 0;
}

/** A file where there is one of that name or a path is meant; else a recording in the folder of runs. */
async function inputOf(
  { workspace, process }: Pick<FlameGraphCommand, 'workspace' | 'process'>,
  source: string,
  trial: string | null,
  tell: (text: string) => void,
): Promise<ProfileInput> {
  const file = path.resolve(source);
  if (existsSync(file) || /[/\\.]/.test(source)) return { kind: 'file', path: file };
  const { choice, ...found } = await findRecording(path.resolve(workspace, '.benchside'), source, trial);
  if (choice !== null) tell(choice);
  return { kind: 'recording', ...found, process };
}

/** A recording, read, with the notes that must be shown with it. */
interface Side extends DiffSide {
  reader: ProfileReader;
  notes: string[];
}

async function open(input: ProfileInput, assetsDir: string): Promise<Side> {
  if (input.kind === 'recording' && input.record.recorder === 'clinic-doctor') {
    throw failure(
      'recording-without-stacks',
      'Clinic Doctor records no stacks: there is no flame graph of it.',
      'Choose a recording of another recorder.',
    );
  }
  const reader = new ProfileReader();
  const { title, requests, notes } = await reader.open({ profileId: 'file', input, assetsDir });
  return { reader, tree: reader.tree, requests, title, notes: notes.map((note) => `${title}: ${note}`) };
}

/** What holds several events gets all of them unless one was asked for. */
async function render(
  { format, event, workspace }: FlameGraphCommand,
  input: ProfileInput,
  assetsDir: string,
  tell: (text: string) => void,
): Promise<string | Uint8Array> {
  const { reader, notes } = await open(input, assetsDir);
  tellOf(reader.sentence(event), notes, tell);
  return reader.written({ format, event, allEvents: event === null, sourceRoots: [path.resolve(workspace)] });
}

async function renderDiff(
  { format, event, normalise, trials, workspace, process }: FlameGraphCommand,
  input: ProfileInput,
  other: string,
  assetsDir: string,
  tell: (text: string) => void,
): Promise<string> {
  const otherInput = await inputOf({ workspace, process }, other, trials[1] ?? trials[0] ?? null, tell);
  const [a, b] = [await open(input, assetsDir), await open(otherInput, assetsDir)];
  const diff = diffTrees(a, b, event, normalise);
  const sentence = diffSentence(a, b, diff);
  tellOf(sentence, [...a.notes, ...b.notes], tell);
  const { writeDiff } = writableFormat(format);
  if (writeDiff === undefined)
    throw failure('profile-export', `Two recordings are not written as “${format}”.`, 'Choose the format “svg”.');
  return writeDiff(diff, sentenceText(sentence.headline));
}

/** The answer comes before the picture; standard output contains only the document. */
function tellOf({ headline, more }: FlameSentence, notes: readonly string[], tell: (text: string) => void): void {
  tell(`${sentenceText(headline)}.`);
  if (more.length > 0) tell(sentenceText(more));
  for (const note of notes) tell(note);
}
