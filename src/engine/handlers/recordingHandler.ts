import type { Step } from '../../model/domain/progress/stepKinds.ts';
import path from 'node:path';
import { failure, FailureError } from '../../model/domain/failure.ts';
import { withBackingServices } from '../run/backingServices.ts';
import { recordTarget } from '../run/recording/recordTarget.ts';
import type { RecordingResult } from '../run/recording/recordPlan.ts';
import { recordWithClinic } from '../run/recording/recordWithClinic.ts';
import type { ProfileInput } from '../profiles/profileMessages.ts';
import { ProfileHost } from '../profiles/profileHost.ts';
import { clinicInstallBytes, clinicInstalled } from '../record/clinic/clinicPackage.ts';
import { clinicTools } from '../record/clinic/clinicTools.ts';
import { installClinic } from '../record/clinic/installClinic.ts';
import { listJvms } from '../record/jvm/listJvms.ts';
import { listNodes } from '../record/node/listNodes.ts';
import { smallAnswer } from '../load/smallAnswer.ts';
import { recordProcess } from '../record/recordProcess.ts';
import { recordingNotFound, RecordingStore } from '../record/recordingStore.ts';
import {
  type LocalProcess,
  type RecorderState,
  type RecordingRecord,
  type RecordingRequest,
  type RecordingSummary,
  summarizeRecording,
} from '../../model/domain/recording.ts';
import type { Engine } from './engine.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import { processPorts } from '../targets/listener.ts';

export class RecordingHandler {
  readonly store: RecordingStore;
  readonly #profiles: ProfileHost;

  constructor(private readonly engine: Engine) {
    const { assetsDir } = engine.params;
    this.store = new RecordingStore(engine.store.rootFolder, () => engine.secrets());
    this.#profiles = new ProfileHost(path.join(assetsDir, 'dist', 'profileWorker.cjs'), assetsDir);
  }

  close(): Promise<void> {
    return this.#profiles.closeAll();
  }

  handlers() {
    const { engine, store } = this;
    const { recorders } = engine;
    const profiles = this.#profiles;
    return {
      'recorders/list': async () => ({ recorders: [...recorders.states(), ...this.#clinicStates()] }),
      'recorders/install': async ({ id }, signal) => {
        if (!id.startsWith('clinic-')) throw failure('recorder-unknown', `“${id}” needs no installation.`, 'Record with it.');
        await this.#installClinic(signal);
        return {};
      },
      'processes/list': async () => ({ processes: await this.#processes() }),
      'processes/ports': async ({ pid }) => ({ ports: await servedPorts(pid) }),
      'recording/start': async (request, signal) => ({ recording: await this.#record(request, signal) }),
      'recordings/list': async () => ({ recordings: await this.#list() }),
      'recordings/delete': async ({ id }) => {
        await this.#assertOnDemand(id);
        return engine.changing('recordings/changed', store.remove(id));
      },
      'recordings/restore': ({ id }) => engine.changing('recordings/changed', store.restore(id)),
      'profile/open': async ({ source }, signal) =>
        profiles.open(source.kind === 'file' ? source : await this.#recordingInput(source.id), signal),
      'profile/piece': ({ profileId, ...piece }) => profiles.ask(profileId, 'piece', piece),
      'profile/frame': ({ profileId, func }) => profiles.ask(profileId, 'frame', { func }),
      'profile/lines': ({ profileId }) => profiles.ask(profileId, 'lines', {}),
      'profile/export': ({ profileId, ...what }) => profiles.ask(profileId, 'export', what),
      'profile/close': async ({ profileId }) => {
        await profiles.close(profileId);
        return {};
      },
    } satisfies Partial<Handlers>;
  }

  #clinicStates(): RecorderState[] {
    const installed = clinicInstalled(this.engine.params.storageDir);
    return clinicTools().map((tool) => ({ ...tool, installed, runtime: 'node', installBytes: clinicInstallBytes }));
  }

  async #installClinic(signal: AbortSignal): Promise<void> {
    const { engine } = this;
    const { params, supervisor, toolchain } = engine;
    await installClinic({
      assetsDir: params.assetsDir,
      storageDir: params.storageDir,
      supervisor,
      signal,
      nodePath: toolchain.node,
      onProgress: (done, total) =>
        engine.tell('recording', { code: 'installing-clinic', done, of: total }, Math.min(1, done / Math.max(1, total))),
    });
  }

  /** The JVMs and Node processes of this machine, Benchside's first, then those that can be recorded. */
  async #processes(): Promise<LocalProcess[]> {
    const targets = this.engine.targets.pids();
    const found = (await Promise.all([listJvms(), listNodes()])).flat().map((one) => ({ ...one, targetId: targets.get(one.pid) ?? null }));
    const rank = (one: LocalProcess): number => (one.targetId !== null ? 0 : one.problem === null ? 1 : 2);
    return found.sort((a, b) => rank(a) - rank(b) || b.pid - a.pid);
  }

  async #record(request: RecordingRequest, outer: AbortSignal): Promise<RecordingRecord> {
    const { engine } = this;
    const progress = (step: Step, fraction: number | null): void => engine.tell('recording', step, fraction);
    const { record, files } = await engine.exclusive(outer, async (signal): Promise<RecordingResult> => {
      const { subject } = request;
      if (subject.kind === 'target') {
        const tool = clinicTools().find(({ id }) => id === request.recorder);
        if (tool?.problem != null) throw new FailureError(tool.problem);
        const asked = { ...subject, targets: [subject.id] };
        return withBackingServices(asked, { ...(await engine.recordingContext([subject.id], signal)), progress }, (context) =>
          tool === undefined
            ? recordTarget(subject, request, context)
            : recordWithClinic(tool.id as Parameters<typeof recordWithClinic>[0], subject, request, context),
        );
      }
      if (request.recorder?.startsWith('clinic-') === true) {
        throw failure(
          'recorder-relaunch',
          'Clinic’s tools start the app themselves and cannot attach to a process that runs.',
          'Record one of your targets with it, or choose the V8 inspector.',
        );
      }
      const { workspaceDir } = engine.params;
      return recordProcess(subject.pid, request, {
        processes: await this.#processes(),
        probes: engine.targets.probesOf(subject.pid),
        recorders: engine.recorders,
        sourceRoots: workspaceDir === null ? [] : [workspaceDir],
        progress,
        signal,
      });
    });
    const stored = await this.store.add(record, files);
    engine.notify('recordings/changed', {});
    return stored;
  }

  /** On-demand ones and those of runs, newest first. */
  async #list(): Promise<RecordingSummary[]> {
    const own = (await this.store.list()).map((record) => summarizeRecording(record, null));
    const ofRuns = (await this.engine.store.list()).flatMap((run) => (run.kind === 'run' ? run.recordings : []));
    return [...own, ...ofRuns].sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  }

  async #recordingInput(id: string): Promise<ProfileInput> {
    const summary = (await this.#list()).find((one) => one.id === id);
    if (summary?.runId == null) return { kind: 'recording', folder: this.store.folderOf(id), record: await this.store.read(id) };
    const run = await this.engine.store.read(summary.runId);
    const record = run.recordings.find((one) => one.id === id);
    if (record === undefined) throw recordingNotFound(id);
    return { kind: 'recording', folder: path.join(this.engine.store.runsFolder, run.id), record };
  }

  async #assertOnDemand(id: string): Promise<void> {
    const summary = (await this.#list()).find((one) => one.id === id);
    if (summary?.runId == null) return;
    throw failure('recording-of-run', 'This recording belongs to a run.', 'Delete the run; its recordings go with it.');
  }
}

const inspectorAnswersMs = 500;
const mostCharacters = 1000;

/**
 * The TCP ports on which a process of this machine listens for requests, ascending; that of Node’s inspector, where a debugger speaks, is none. Empty where the
 * platform does not report them.
 */
async function servedPorts(pid: number): Promise<number[]> {
  const ports = processPorts(pid);
  const inspectors = await Promise.all(ports.map(isInspector));
  return ports.filter((_, index) => inspectors[index] !== true);
}

/** An inspector answers in a thread of its own, whatever the program does; who does not answer in time is none. */
async function isInspector(port: number): Promise<boolean> {
  const text = await smallAnswer(port, '/json/version', { withinMs: inspectorAnswersMs, longest: mostCharacters });
  return text?.includes('"Protocol-Version"') === true;
}
