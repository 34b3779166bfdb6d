import * as z from 'zod';
import { failure } from '../../../model/domain/failure.ts';
import type { ProbeGroup } from '../../probe/probeServer.ts';
import type { ProbeSession } from '../../probe/probeSession.ts';
import { poll } from '../../supervise/pause.ts';
import { processPorts } from '../../targets/listener.ts';
import { guardSource, takeGuardSource } from './guardSource.ts';
import { InspectorClient } from './inspectorClient.ts';
import { type NodeFacts, readNodeFacts } from './nodeProcess.ts';
import { awaitInspector, openInspector } from './openInspector.ts';

const beatEveryMs = 1_000;
/** After this time without a sign of life from us, the process undoes the recording automatically. */
const lostMs = 10_000;
const moveTimeoutMs = 8_000;
const closeTimeoutMs = 3_000;

/** What a Node process says of itself. */
const aboutSchema = z.object({ version: z.string().max(100) });
const aboutSource = `JSON.stringify({ version: process.version })`;

export class AttachedNode {
  readonly #beat: NodeJS.Timeout;
  #detaching: Promise<void> | undefined;

  private constructor(
    readonly client: InspectorClient,
    readonly facts: NodeFacts,
    readonly about: z.infer<typeof aboutSchema>,
    private readonly port: number,
    /** Then every user of this machine could reach it meanwhile. */
    readonly openedByUs: boolean,
    private readonly guardId: string,
  ) {
    this.#beat = setInterval(() => void this.#guard('function () { this.beat(); }').catch(() => undefined), beatEveryMs);
    this.#beat.unref();
  }

  /** Whether the inspector was open before: another client, such as a debugger, may be attached to it, too. */
  get isShared(): boolean {
    return !this.openedByUs && this.port !== 0;
  }

  /**
   * Attaches to a running Node process through its inspector, which is opened where it is not open yet. `maxMs` after this, or a few seconds after we are gone,
   * the process undoes everything automatically. Fails with a `FailureError`.
   */
  static async attach(pid: number, maxMs: number, signal: AbortSignal): Promise<AttachedNode> {
    const found = await openInspector(pid, signal);
    let client = await InspectorClient.connect(found.url);
    let { port } = found;
    try {
      let guard = await client.evaluate(`${guardSource}(${JSON.stringify({ lostMs, maxMs, opened: found.openedByUs })})`);
      if (found.openedByUs) {
        // The inspector ends the session as it closes; a session that ends at that very moment could hold the app up.
        await client.closeAfterwards(closeTimeoutMs);
        const moved = await awaitInspector(pid, new Set([...found.otherPorts, port]), moveTimeoutMs);
        if (moved === null) throw failure('inspector-closed', `Process ${pid} closed its inspector again.`, 'Record again.');
        port = moved.port;
        client = await InspectorClient.connect(moved.url);
        guard = await client.evaluate(takeGuardSource);
      }
      return await AttachedNode.#begin(client, { ...found, port }, guard.objectId, signal);
    } catch (error) {
      // Where this does not get through, the guard closes it when it hears nothing more.
      const closing =
        found.openedByUs &&
        (await client.evaluate(closeInspectorSource).then(
          () => true,
          () => false,
        ));
      await client.closeAfterwards(closing ? closeTimeoutMs : 0);
      throw error;
    }
  }

  /** Attaches from within, through the probe of a process that we have started: nothing listens on a port. Otherwise as {@link attach}. */
  static async attachThroughProbe(session: ProbeSession, maxMs: number, signal: AbortSignal): Promise<AttachedNode> {
    const { pid } = session.hello;
    const facts = readNodeFacts(pid);
    if (facts === null) throw failure('process-not-found', `There is no process ${pid}.`, 'It may have ended; choose one that runs.');
    const client = new InspectorClient(await session.inspect());
    try {
      const guard = await client.evaluate(`${guardSource}(${JSON.stringify({ lostMs, maxMs, opened: false })})`);
      return await AttachedNode.#begin(client, { facts, port: 0, openedByUs: false }, guard.objectId, signal);
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  /** Attaches to a process of an app by whichever way there is: from within where it has our probe. Otherwise as {@link attach}. */
  static ofProcess(
    { pid, probes }: { pid: number; probes?: ProbeGroup | null | undefined },
    maxMs: number,
    signal: AbortSignal,
  ): Promise<AttachedNode> {
    const session = probes?.sessions.find(({ hello }) => hello.pid === pid);
    return session === undefined ? AttachedNode.attach(pid, maxMs, signal) : AttachedNode.attachThroughProbe(session, maxMs, signal);
  }

  static async #begin(
    client: InspectorClient,
    { facts, port, openedByUs }: { facts: NodeFacts; port: number; openedByUs: boolean },
    guardId: string | undefined,
    signal: AbortSignal,
  ): Promise<AttachedNode> {
    if (guardId === undefined) throw failure('inspector-refused', `Process ${facts.pid} refused to be recorded.`, 'Record again.');
    const about = aboutSchema.parse(JSON.parse(String((await client.evaluate(aboutSource, { byValue: true })).value)));
    signal.throwIfAborted();
    return new AttachedNode(client, facts, about, port, openedByUs, guardId);
  }

  /** Has the process call a function of a remote object when it undoes the recording. */
  async undoAtEnd(objectId: string, functionName: 'undo'): Promise<void> {
    await this.#guard(`function (object) { this.onEnd(() => object.${functionName}()); }`, [{ objectId }]);
  }

  /** Undoes everything in the process, closes the inspector if we had it opened, and ends the connection. Never fails. */
  detach(): Promise<void> {
    this.#detaching ??= this.#detach();
    return this.#detaching;
  }

  async #detach(): Promise<void> {
    clearInterval(this.#beat);
    if (this.client.isOpen) await this.#guard('function () { this.end(); }').catch(() => undefined);
    if (!this.openedByUs) return this.client.close();
    await this.client.closeAfterwards(closeTimeoutMs);
    await poll(() => !processPorts(this.facts.pid).includes(this.port), { timeoutMs: closeTimeoutMs, everyMs: 20 });
  }

  #guard(declaration: string, args: { objectId: string }[] = []): Promise<unknown> {
    return this.client.call(this.guardId, declaration, { args });
  }
}

const closeInspectorSource = `void setTimeout(() => require('inspector').close(), 20)`;
