import path from 'node:path';
import type { CallTree } from '../../model/domain/callTree.ts';
import { failure } from '../../model/domain/failure.ts';
import { shownRecommendations } from '../../model/domain/tuningAnswers.ts';
import { type RecordedThread, type RecordingFile, type RecordingRecord, recordingIdSchema } from '../../model/domain/recording.ts';
import { CallTreeBuilder } from '../../calltree/callTreeBuilder.ts';
import { parseJsonDocument } from '../calltree/jsonDocument.ts';
import { openProfile, readProfileFile } from '../calltree/openProfile.ts';
import { joinTrees, underRootFrame, withRuntimeThreads } from '../../calltree/joinTrees.ts';
import { weighedByKernel } from '../../calltree/kernelWeights.ts';
import { rootFrameName } from '../../calltree/rootFrameName.ts';
import { withoutProbe } from '../../calltree/withoutRecorder.ts';
import { clinicHintFile } from '../record/clinic/doctorHint.ts';
import { readClinicFlame } from '../record/clinic/readClinicFlame.ts';
import { RecordingStore } from '../record/recordingStore.ts';
import { withOrigins } from './classOrigins.ts';
import { withPackageOrigins } from './packageOrigins.ts';
import { assertFileName } from '../files/safeFiles.ts';
import { RunStore } from '../runs/runStore.ts';

/** A stored recording, with the absolute folder of its files. */
export interface StoredRecording {
  folder: string;
  record: RecordingRecord;
}

/** A recording that was found, with what must be said of the choice; null where there was none. */
export interface FoundRecording extends StoredRecording {
  choice: string | null;
}

/**
 * Reads the files of a recording into one tree, where several processes were recorded each under a frame of its own, and each worker thread, too. Files
 * that hold no stacks (Clinic Doctor's) add nothing; a recording of nothing else is the empty tree. Fails as `openProfile` does.
 *
 * @param folder absolute path of the folder that holds the files.
 * @param process pid of the one that is wanted, of several; null: all. Fails with `recording-not-found` where it is not among them.
 */
export async function openRecording(folder: string, record: RecordingRecord, process: number | null = null): Promise<CallTree> {
  let merged: CallTree | null = null;
  for (const file of wantedFiles(record, process)) {
    const threads = threadsOf(record, file);
    const tree = await openFile(folder, file, threads);
    if (tree === null) continue;
    const ofThread =
      file.thread === undefined
        ? withThreadsBeside(tree, record, file, threads)
        : underRootFrame(tree, rootFrameName({ thread: file.thread }));
    const own = file.process === undefined || process !== null ? ofThread : underRootFrame(ofThread, processFrame(record, file.process));
    merged = merged === null ? own : joinTrees(merged, own);
  }
  const roots = rootsOf(record);
  const tree = withOrigins(merged ?? new CallTreeBuilder([]).build(), record.classPath ?? [], roots);
  return withOwnPaths(withPackageOrigins(tree, roots), record.ranIn);
}

function wantedFiles({ files, pid }: RecordingRecord, process: number | null): RecordingFile[] {
  if (process === null) return files;
  const wanted = files.filter((file) => (file.process ?? pid) === process);
  if (wanted.length > 0) return wanted;
  const there = [...new Set(files.map((file) => file.process ?? pid))].join(', ');
  throw failure('recording-not-found', `The recording has no process ${process}.`, `Choose one of: ${there}.`);
}

/** The folders of the sources that it was built from, including the copy that it ran in. */
function rootsOf({ sourceRoots, ranIn }: RecordingRecord): string[] {
  return ranIn === undefined ? sourceRoots : [...sourceRoots, ranIn.copy];
}

function processFrame({ cpu }: RecordingRecord, process: number): string {
  return rootFrameName({ process, title: cpu?.processes.find(({ pid }) => pid === process)?.title ?? '' });
}

/** Replaces paths of a copy by those of the original: so two copies compare, and sources are found when the copies are gone. */
function withOwnPaths(tree: CallTree, ranIn: RecordingRecord['ranIn']): CallTree {
  if (ranIn === undefined) return tree;
  const from = `${ranIn.copy}${path.sep}`;
  const file = tree.functions.file.map((one) => (one.startsWith(from) ? path.join(ranIn.of, one.slice(from.length)) : one));
  return { ...tree, functions: { ...tree.functions, file } };
}

/** The profile of a main thread of Node with the threads of its process that have none. */
function withThreadsBeside(
  tree: CallTree,
  { files }: RecordingRecord,
  { format, process, threadNumber }: RecordingFile,
  threads: readonly RecordedThread[],
): CallTree {
  if (format !== 'cpuprofile' || threadNumber === undefined) return tree;
  const profiled = files.flatMap((file) => (file.process === process ? (file.threadNumber ?? []) : []));
  return withRuntimeThreads(tree, threads, new Set(profiled));
}

/** What the kernel counted of each thread of the process that a file is of. */
function threadsOf({ cpu, pid }: RecordingRecord, { process }: RecordingFile): readonly RecordedThread[] {
  const recorded = cpu?.processes.filter((one) => one.recorded) ?? [];
  const [own] = process === undefined && recorded.length === 1 ? recorded : recorded.filter((one) => one.pid === (process ?? pid));
  return own?.threads ?? [];
}

async function openFile(
  folder: string,
  { name, format, threadNumber }: RecordingFile,
  threads: readonly RecordedThread[],
): Promise<CallTree | null> {
  assertFileName(name);
  const file = path.join(folder, name);
  if (format === 'cpuprofile' && threadNumber === undefined) return withoutProbe(await openProfile(file));
  const kernelNs = new Map(threads.map((thread) => [thread.number, thread.kernelNs]));
  if (format !== 'clinic') return withoutProbe(weighedByKernel(await openProfile(file), kernelNs, threadNumber ?? null));
  // In the folder of a run a file's name begins with that of its recording.
  if (name.endsWith(clinicHintFile)) return null;
  return readClinicFlame(parseJsonDocument(await readProfileFile(file), 'Clinic'));
}

/**
 * Finds a recording by what a person calls it: the id of a recording, or a run (`last`, `previous`, its id or the beginning of it) that has one. Of several in
 * a run, `trial` says which: a trial's key, or parts of it that only one has, such as `pool=2`; without it the one of the run's answer is used, or the first.
 * Fails with `recording-not-found`, `run-not-found` or `recording-ambiguous`.
 *
 * @param rootFolder absolute path of `.benchside`.
 */
export async function findRecording(rootFolder: string, reference: string, trial: string | null): Promise<FoundRecording> {
  const runs = new RunStore(rootFolder);
  const onDemand = new RecordingStore(rootFolder, () => []);
  const all = await runs.list();
  const readable = all.filter((run) => run.kind === 'run');
  const byWord = reference === 'last' ? readable[0] : reference === 'previous' ? readable[1] : undefined;
  if (byWord === undefined && recordingIdSchema.safeParse(reference).success) {
    const owner = readable.find((run) => run.recordings.some((recording) => recording.id === reference));
    if (owner !== undefined) return ofRun(runs, owner.id, (record) => record.id === reference);
    if (!all.some((run) => run.id === reference))
      return { folder: onDemand.folderOf(reference), record: await onDemand.read(reference), choice: null };
  }
  const matches = byWord === undefined ? all.filter((run) => run.id.startsWith(reference)) : [byWord];
  const [match] = matches;
  if (match === undefined) {
    throw failure(
      'recording-not-found',
      `There is no file, run or recording “${reference.slice(0, 200)}”.`,
      'Name a file, or a run of this folder: “benchside runs” lists them.',
    );
  }
  if (matches.length > 1) {
    throw failure(
      'run-not-found',
      `“${reference}” is the beginning of ${matches.length} runs.`,
      'Give more of the id; see “benchside runs”.',
    );
  }
  if (trial === null) return ofRun(runs, match.id, null);
  const parts = trial.split('|');
  return ofRun(runs, match.id, (record) => {
    const ofKey = record.trialKey?.split('|') ?? [];
    return record.id === trial || parts.every((part) => ofKey.includes(part));
  });
}

/** @param wanted null: the one of the run's answer, or the first */
async function ofRun(runs: RunStore, id: string, wanted: ((record: RecordingRecord) => boolean) | null): Promise<FoundRecording> {
  const run = await runs.read(id);
  const folder = path.join(runs.runsFolder, id);
  const found = wanted === null ? run.recordings : run.recordings.filter(wanted);
  const [record] = found;
  const list = run.recordings.map((one) => `${one.trialKey ?? one.id} (${one.title})`).join(', ');
  if (run.recordings.length === 0) {
    throw failure(
      'recording-not-found',
      `The run “${run.title}” has no recording.`,
      'Run the benchmark again with recording, or name a file.',
    );
  }
  if (record === undefined) {
    throw failure('recording-not-found', `The run “${run.title}” has no recording of that trial.`, `Choose one with --trial: ${list}.`);
  }
  if (found.length === 1) return { folder, record, choice: null };
  if (wanted !== null)
    throw failure('recording-ambiguous', `The run “${run.title}” has ${found.length} recordings.`, `Choose one with --trial: ${list}.`);
  const answers = shownRecommendations(run).flatMap(({ trialKey }) => trialKey ?? []);
  const ofAnswer = found.find(({ trialKey }) => trialKey !== null && answers.includes(trialKey));
  const chosen = ofAnswer ?? record;
  const which = ofAnswer === undefined ? 'the first of them' : 'that of its answer';
  const choice = `The run “${run.title}” has ${found.length} recordings. This is ${which}, ${chosen.title}; --trial chooses another: ${list}.`;
  return { folder, record: chosen, choice };
}
