import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import type { LocalProcess, RecorderState, RecordingRecord, RecordingRequest, RecordingSummary } from '../../model/domain/recording.ts';
import { withBackingServices } from '../run/backingServices.ts';
import { recordTarget } from '../run/recording/recordTarget.ts';
import type { RecordingContext, RecordingResult } from '../run/recording/recordPlan.ts';
import { recordWithClinic } from '../run/recording/recordWithClinic.ts';
import type { ProfileInput } from '../profiles/profileMessages.ts';
import { ProfileHost } from '../profiles/profileHost.ts';
import { clinicInstallBytes, clinicInstalled } from '../record/clinic/clinicPackage.ts';
import { clinicTools } from '../record/clinic/clinicTools.ts';
import { installClinic } from '../record/clinic/installClinic.ts';
import type { ProbeGroup } from '../probe/probeServer.ts';
import { localProcesses } from '../record/localProcesses.ts';
import type { Recorders } from '../record/recorders.ts';
import { recordProcess } from '../record/recordProcess.ts';
import { RecordingStore } from '../record/recordingStore.ts';
import { summarizeRecording } from '../../model/domain/recordingSummary.ts';
import type { Handlers, Notify } from '../rpc/engineServer.ts';
import { servedPorts } from '../attach/servedPorts.ts';
import type { RunStore } from '../runs/runStore.ts';
import type { Supervisor } from '../supervise/supervisor.ts';

/** What the handler needs of the engine. */
export interface RecordingHandlerOptions {
  assetsDir: string;
  workspaceDir: string | null;
  storageDir: string;
  supervisor: Supervisor;
  /** The Node of this machine; asked again each time, since the user may set another. */
  nodePath: () => string;
  store: RunStore;
  recorders: Recorders;
  secrets: () => readonly string[];
  notify: Notify;
  /** Targets that run, by the process that was started for each. */
  targetPids: () => Map<number, string>;
  /** The probes of the target that a process serves; null where Benchside did not start it. */
  targetProbes: (pid: number) => ProbeGroup | null;
  /** Reserves the machine for a recording, so that no benchmark is measured meanwhile; fails when one runs. */
  exclusive: <T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  context: (subject: RecordingRequest['subject'], signal: AbortSignal) => Promise<Omit<RecordingContext, 'progress'>>;
}

/** The requests that the handler answers. */
export const recordingRequests = [
  'recorders/list',
  'recorders/install',
  'processes/list',
  'processes/ports',
  'recording/start',
  'recordings/list',
  'recordings/delete',
  'recordings/restore',
  'profile/open',
  'profile/piece',
  'profile/frame',
  'profile/lines',
  'profile/export',
  'profile/close',
] as const;
type RecordingRequestName = (typeof recordingRequests)[number];

/** Makes, keeps and reads recordings. */
export class RecordingHandler {
  readonly store: RecordingStore;
  readonly #profiles: ProfileHost;

  constructor(private readonly options: RecordingHandlerOptions) {
    this.store = new RecordingStore(options.store.rootFolder, options.secrets);
    this.#profiles = new ProfileHost(path.join(options.assetsDir, 'dist', 'profileWorker.cjs'), options.assetsDir);
  }

  /** Closes what is open. */
  close(): Promise<void> {
    return this.#profiles.closeAll();
  }

  handlers(): Pick<Handlers, RecordingRequestName> {
    const { notify, recorders } = this.options;
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
        await this.store.remove(id);
        notify('recordings/changed', {});
        return {};
      },
      'recordings/restore': async ({ id }) => {
        await this.store.restore(id);
        notify('recordings/changed', {});
        return {};
      },
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
    };
  }

  #clinicStates(): RecorderState[] {
    const installed = clinicInstalled(this.options.storageDir);
    return clinicTools().map(({ id, label, description, abilities, events, problem }) => ({
      id,
      label,
      description,
      abilities,
      problem,
      installed,
      runtime: 'node',
      events: [...events],
      installBytes: clinicInstallBytes,
    }));
  }

  async #installClinic(signal: AbortSignal): Promise<void> {
    const { assetsDir, storageDir, supervisor, notify, nodePath } = this.options;
    await installClinic({
      assetsDir,
      storageDir,
      supervisor,
      signal,
      nodePath: nodePath(),
      onProgress: (done, total) =>
        notify('recording/progress', {
          message: `Installing clinic: ${done} of ${total} packages`,
          fraction: Math.min(1, done / Math.max(1, total)),
        }),
    });
  }

  #processes(): Promise<LocalProcess[]> {
    return localProcesses(this.options.targetPids());
  }

  async #record(request: RecordingRequest, outer: AbortSignal): Promise<RecordingRecord> {
    const { options } = this;
    const progress = (message: string, fraction: number | null): void => options.notify('recording/progress', { message, fraction });
    const { record, files } = await options.exclusive(outer, async (signal): Promise<RecordingResult> => {
      const { subject } = request;
      if (subject.kind === 'target') {
        const tool = clinicTools().find(({ id }) => id === request.recorder);
        if (tool?.problem != null) throw failure(tool.problem.code, tool.problem.message, tool.problem.cure, tool.problem.detail);
        const asked = { ...subject, targets: [subject.id] };
        return withBackingServices(asked, { ...(await options.context(subject, signal)), progress }, (context) =>
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
      const sourceRoots = options.workspaceDir === null ? [] : [options.workspaceDir];
      return recordProcess(subject.pid, request, {
        processes: await this.#processes(),
        probes: options.targetProbes(subject.pid),
        recorders: options.recorders,
        sourceRoots,
        progress,
        signal,
      });
    });
    const stored = await this.store.add(record, files);
    options.notify('recordings/changed', {});
    return stored;
  }

  /** On-demand ones and those of runs, newest first. */
  async #list(): Promise<RecordingSummary[]> {
    const own = (await this.store.list()).map((record) => summarizeRecording(record, null));
    const ofRuns = (await this.options.store.list()).flatMap((run) => (run.kind === 'run' ? run.recordings : []));
    return [...own, ...ofRuns].sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  }

  async #recordingInput(id: string): Promise<ProfileInput> {
    const summary = (await this.#list()).find((one) => one.id === id);
    if (summary?.runId == null) return { kind: 'recording', folder: this.store.folderOf(id), record: await this.store.read(id) };
    const run = await this.options.store.read(summary.runId);
    const record = run.recordings.find((one) => one.id === id);
    if (record === undefined)
      throw failure(
        'recording-not-found',
        'There is no such recording in this workspace.',
        'Choose one from the list, or record again.',
        id,
      );
    return { kind: 'recording', folder: path.join(this.options.store.runsFolder, run.id), record };
  }

  async #assertOnDemand(id: string): Promise<void> {
    const summary = (await this.#list()).find((one) => one.id === id);
    if (summary?.runId == null) return;
    throw failure('recording-of-run', 'This recording belongs to a run.', 'Delete the run; its recordings go with it.');
  }
}
