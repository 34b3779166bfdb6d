import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import { shortened } from '../../model/domain/plainText.ts';
import type { Params } from '../../model/protocol/protocol.ts';
import type { Traffic } from '../../model/domain/traffic.ts';
import type { Engine } from './engine.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import { prepareDatabase, withOwner } from '../services/prepareDatabase.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { databaseWants } from '../targets/launchTarget.ts';
import { makeTemporaryFolder } from '../supervise/temporaryFolder.ts';
import { type LocalIds, localIds } from '../traffic/localIds.ts';
import { RecordingProxy } from '../traffic/recordingProxy.ts';
import type { DraftParameter } from '../traffic/trafficDraft.ts';
import { trafficProfile } from '../traffic/trafficProfile.ts';

/** Paths of requests are shown up to this length. */
const longestShown = 200;

type Wishes = Params<'traffic/stop'>;

export class TrafficHandler {
  #recording: Promise<RecordingProxy> | null = null;

  constructor(private readonly engine: Engine) {}

  handlers() {
    return {
      'traffic/read': ({ files, ...wishes }, signal) => this.#read(files, wishes, signal),
      'traffic/record': async ({ port, listen }) => {
        if (this.#recording !== null) throw failure('traffic-recording', 'Traffic is being recorded already.', 'End that recording first.');
        // Kept before it has started, so that a second request does not start another.
        const starting = RecordingProxy.start(port, listen, ({ method, path: where, status }) =>
          this.engine.tell('traffic', { code: 'request-seen', status, method, path: shortened(where, longestShown) }),
        );
        this.#recording = starting;
        try {
          return { port: (await starting).port };
        } catch (error) {
          this.#recording = null;
          throw error;
        }
      },
      'traffic/stop': (wishes, signal) => this.#stop(wishes, signal),
    } satisfies Partial<Handlers>;
  }

  async #read(files: readonly string[], { name, writes, target, asRecorded }: Wishes, signal: AbortSignal): Promise<Traffic> {
    const declared = target === null ? null : await this.engine.startable(target);
    const { source, draft } = await this.engine.reading.read('traffic', { files: [...files], wishes: { writes, asRecorded } }, signal);
    const local = declared === null ? null : await this.#local(declared, draft.parameters, signal);
    return trafficProfile(source, draft, local, { name, asRecorded });
  }

  /** The recording has passwords and tokens in it: it is removed when the load profile, which has none, is made. */
  async #stop(wishes: Wishes, signal: AbortSignal): Promise<Traffic> {
    const recording = await this.#recording;
    if (recording === null) throw failure('traffic-not-recording', 'No traffic is being recorded.', 'Begin a recording first.');
    this.#recording = null;
    const text = await recording.stop();
    if (recording.isEmpty)
      throw failure('traffic-empty', 'No request was recorded.', 'Record again, and send requests to the port of the recording.');
    const folder = makeTemporaryFolder('traffic');
    try {
      const file = path.join(folder, 'recorded.har');
      writeFileSync(file, text, { mode: 0o600 });
      const traffic = await this.#read([file], wishes, signal);
      const { beyondLimits } = recording;
      return {
        ...traffic,
        source: 'recording',
        notes: [...traffic.notes, ...(beyondLimits === 0 ? [] : [{ code: 'beyond-limits' as const, requests: beyondLimits }])],
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Keys of the rows that the target’s database holds; null where it has none. */
  async #local(
    declared: DeclaredTarget,
    parameters: readonly DraftParameter[],
    signal: AbortSignal,
  ): Promise<Map<string, LocalIds> | null> {
    const wants = databaseWants(declared);
    if (wants === null) return null;
    const { engine } = this;
    // Reserved, since a database may be made.
    return engine.exclusive(signal, async (own) => {
      const address = await engine.server.agreedAddress(wants, own);
      await prepareDatabase(address, wants, (step) => engine.tell('traffic', step), own);
      return withOwner(address, wants, own, (client) => localIds(client, parameters));
    });
  }
}
