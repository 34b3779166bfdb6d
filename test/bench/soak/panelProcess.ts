import { type ChildProcess, fork } from 'node:child_process';
import type { RunRecord } from '../../../src/model/domain/run.ts';
import type { RunEvent } from '../../../src/model/protocol/runEvent.ts';
import { SoakedPanel } from './panelPart.ts';

/** What {@link servePanel} is asked for, by the names of the panel's own methods. */
type Asked = 'follow' | 'openAndClose' | 'held' | 'snapshot';
interface Question {
  id: number;
  asked: Asked;
  given: unknown[];
}
interface Answer {
  id: number;
  value?: unknown;
  failed?: string;
}

/** The option that makes of this bench the process of the panel. */
export const panelOption = '--panel';

/**
 * The panel, in a process of its own with the browser's driver and the servers of its pages: what these hold must not count as what a client of the engine holds.
 */
export class PanelProcess {
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (reason: Error) => void }>();
  #asked = 0;

  private constructor(private readonly child: ChildProcess) {
    child.on('message', ({ id, value, failed }: Answer) => {
      const one = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (failed === undefined) one?.resolve(value);
      else one?.reject(new Error(failed));
    });
    child.once('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the process of the panel has ended'));
      this.#waiting.clear();
    });
  }

  static async start(): Promise<PanelProcess> {
    const child = fork(process.argv[1] ?? '', [panelOption], { serialization: 'advanced' });
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('exit', () => reject(new Error('the process of the panel has not started')));
    });
    return new PanelProcess(child);
  }

  async follow(events: readonly RunEvent[], run: RunRecord): Promise<void> {
    await this.#ask('follow', events, run);
  }

  async openAndClose(run: RunRecord): Promise<void> {
    await this.#ask('openAndClose', run);
  }

  held(): ReturnType<SoakedPanel['held']> {
    return this.#ask('held') as ReturnType<SoakedPanel['held']>;
  }

  snapshot(): Promise<string> {
    return this.#ask('snapshot') as Promise<string>;
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    if (!this.child.connected) return;
    this.child.disconnect();
    await ended;
  }

  #ask(asked: Asked, ...given: unknown[]): Promise<unknown> {
    const question: Question = { id: (this.#asked += 1), asked, given };
    return new Promise((resolve, reject) => {
      this.#waiting.set(question.id, { resolve, reject });
      this.child.send(question);
    });
  }
}

/** Is that process, until who has started it lets go. */
export async function servePanel(): Promise<void> {
  const panel = await SoakedPanel.start();
  process.on('message', ({ id, asked, given }: Question) => {
    void (panel[asked] as (...all: unknown[]) => Promise<unknown>)
      .call(panel, ...given)
      .then((value): Answer => ({ id, value }))
      .catch((error: unknown): Answer => ({ id, failed: String(error) }))
      .then((answer) => process.send?.(answer));
  });
  process.once('disconnect', () => void panel.close().finally(() => process.exit(0)));
  process.send?.('ready');
}
