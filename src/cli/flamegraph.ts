import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { profileNoteText } from '../model/domain/profileNoteKinds.ts';
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

type Command = Given<FlameGraphAsked>;

/**
 * Reads a recording (or two, to compare them) and writes it in another form, to a file or to `stdout`. Needs no engine: nothing is started and
 * nothing is kept.
 */
export async function flameGraph(
  command: Command,
  { assetsDir }: Pick<Places, 'assetsDir'>,
  { tell, document }: Pick<Output, 'document' | 'tell'>,
): Promise<number> {
  const { source, diff, trials, format, event, output, workspace } = command;
  const input = await inputOf(command, source, trials[0] ?? null, tell);
  const other = diff === null ? null : await inputOf(command, diff, trials[1] ?? trials[0] ?? null, tell);
  const side = await open(input, assetsDir);
  let content: string | Uint8Array;
  if (other !== null) content = comparedSides(side, await open(other, assetsDir), command, tell);
  else {
    tellOf(side.reader.sentence(event), side.notes, tell);
    // What holds several events gets all of them unless one was asked for.
    content = await side.reader.written({ format, event, allEvents: event === null, sourceRoots: [path.resolve(workspace)] });
  }
  if (output === null) {
    await document(content);
    return 0;
  }
  const file = path.resolve(output);
  writing('output-not-written', `The flame graph could not be written to ${file}`, () => writeFileSync(file, content));
  return 0;
}

function comparedSides(a: Side, b: Side, { format, event, normalise }: Command, tell: Output['tell']): string {
  const diff = diffTrees(a, b, event, normalise);
  const sentence = diffSentence(a, b, diff);
  tellOf(sentence, [...a.notes, ...b.notes], tell);
  const { writeDiff } = writableFormat(format);
  if (writeDiff === undefined)
    throw failure('profile-export', `Two recordings are not written as “${format}”.`, 'Choose the format “svg”.');
  return writeDiff(diff, sentenceText(sentence.headline));
}

/** A file where there is one of that name or a path is meant; else a recording in the folder of runs. */
async function inputOf({ workspace, process }: Command, source: string, trial: string | null, tell: Output['tell']): Promise<ProfileInput> {
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
  return { reader, tree: reader.tree, requests, title, notes: notes.map((note) => `${title}: ${profileNoteText(note)}`) };
}

/** The answer comes before the picture; standard output contains only the document. */
function tellOf({ headline, more }: FlameSentence, notes: readonly string[], tell: Output['tell']): void {
  tell(`${sentenceText(headline)}.`);
  if (more.length > 0) tell(sentenceText(more));
  for (const note of notes) tell(note);
}
