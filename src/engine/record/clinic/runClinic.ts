import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RecordingNote } from '../../../model/domain/recordingNoteKinds.ts';
import { attempt } from '../../../model/domain/attempt.ts';
import { failure } from '../../../model/domain/failure.ts';
import type { RecordingFile } from '../../../model/domain/recording.ts';
import { largestTextBytes, readBoundedSync, readBoundedText } from '../../files/boundedFile.ts';
import { parseJsonDocument } from '../../calltree/jsonDocument.ts';
import { readHeapProfile } from '../../calltree/readHeapProfile.ts';
import { makeTemporaryFolder } from '../../supervise/temporaryFolder.ts';
import { clinicCommand } from './clinicCommand.ts';
import { type ClinicRequest, clinicAppSchema } from './clinicMessages.ts';
import { clinicFolder, clinicInstalled } from './clinicPackage.ts';
import { ClinicProcess } from './clinicProcess.ts';
import type { ClinicResult, ClinicRun } from './clinicRun.ts';
import { clinicHintFile, doctorHint, doctorResultSchema } from './doctorHint.ts';
import { readClinicFlame } from './readClinicFlame.ts';

const versions = { 'clinic-doctor': '@clinic/doctor', 'clinic-flame': '@clinic/flame', 'clinic-heap': '@clinic/heap-profiler' } as const;
const maxResultBytes = 256 * 1024 * 1024;

/**
 * Starts an app under one of Clinic's tools, puts the load on it, and returns what the tool recorded. The app has ended when this resolves, and also when it
 * fails; nothing else is left behind. Fails with `clinic-not-installed`, `clinic-needs-node`, `clinic-app-not-ready`, `clinic-app-failed`, `clinic-hangs` or
 * `clinic-no-data`; when it is aborted, with the signal's reason.
 */
export async function runClinic(run: ClinicRun): Promise<ClinicResult> {
  run.signal.throwIfAborted();
  if (!clinicInstalled(run.storageDir))
    throw failure('clinic-not-installed', 'Clinic is not installed.', 'Choose a tool of Clinic again and agree to its installation.');
  const folder = makeTemporaryFolder('clinic');
  const dataDir = path.join(folder, 'data');
  const workDir = path.join(folder, 'work');
  for (const each of [dataDir, workDir]) mkdirSync(each);
  try {
    const process_ = await ClinicProcess.start(run, {
      workDir,
      requestFile: path.join(folder, 'request.json'),
      request: requestOf(run, dataDir),
    });
    await process_.record();
    return collect(run, dataDir);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function requestOf(run: ClinicRun, dataDir: string): ClinicRequest {
  const { argv, cwd, env } = run.command;
  return {
    tool: run.tool,
    mark: `${randomBytes(12).toString('hex')} `,
    packageDir: clinicFolder(run.storageDir),
    dataDir,
    argv: clinicCommand(argv, cwd, env['PATH'], path.join(run.assetsDir, 'tools', 'clinic', 'inTargetFolder.cjs')),
    cwd: path.resolve(cwd),
    env: { ...env },
    // Doctor compares every pair of samples, so that their number is kept at some two thousand.
    sampleIntervalMs: Math.min(500, Math.max(10, Math.ceil(run.seconds / 2))),
  };
}

function collect(run: ClinicRun, dataDir: string): ClinicResult {
  const app = clinicAppSchema.safeParse(readJson(path.join(dataDir, 'app.json'))).data;
  const version = versionOf(run);
  const base = { recorderVersion: version, runtimeVersion: app?.version ?? null };
  const pid = app?.pid ?? 0;
  const bytes = resultOf(path.join(dataDir, 'result.json'));
  const save = (name: string, content: Uint8Array | string): void => writeFileSync(path.join(run.outputDir, name), content);
  if (run.tool === 'clinic-doctor') {
    const result = doctorResultSchema.safeParse(parseJsonDocument(bytes, 'Clinic doctor')).data;
    if (result === undefined) throw noData('doctor’s result has another form than expected');
    const hint = doctorHint(result, `Clinic Doctor ${version}`);
    save(clinicHintFile, JSON.stringify(hint));
    return {
      pid,
      recording: { ...base, files: [], events: [], notes: [{ code: 'doctor-hint', samples: hint.samples }] },
    };
  }
  // Read once here, so that a file that cannot be shown fails now and not when it is opened.
  const document = parseJsonDocument(bytes, 'Clinic');
  const isFlame = run.tool === 'clinic-flame';
  const tree = isFlame ? readClinicFlame(document) : readHeapProfile(document);
  if (tree.nodeCount < 2) throw noData('it saw no function at work');
  const file: RecordingFile = isFlame
    ? { name: 'flame.clinic.json', format: 'clinic' }
    : { name: 'heap.heapprofile', format: 'heapprofile' };
  save(file.name, bytes);
  const notes: RecordingNote[] = isFlame ? [{ code: 'clinic-flame-cost' }] : [];
  return { pid, recording: { ...base, files: [file], events: [isFlame ? 'cpu' : 'heap'], notes } };
}

function versionOf(run: ClinicRun): string {
  const manifest = readJson(path.join(clinicFolder(run.storageDir), 'node_modules', ...versions[run.tool].split('/'), 'package.json'));
  const version = (manifest as { version?: unknown } | null)?.version;
  return typeof version === 'string' ? version : 'unknown';
}

function readJson(file: string): unknown {
  return attempt(() => JSON.parse(readBoundedText(file, { largestBytes: largestTextBytes })), null);
}

function resultOf(file: string): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = readBoundedSync(file, { largestBytes: maxResultBytes });
  } catch (error) {
    throw noData(`what it wrote cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
  if (bytes.length === 0) throw noData('it wrote nothing');
  return bytes;
}

function noData(why: string): Error {
  return failure('clinic-no-data', `Clinic’s tool gave no recording: ${why}.`);
}
