import { failure } from '../../model/domain/failure.ts';
import { BoundedLog } from '../supervise/boundedLog.ts';
import { isSameProcess, processStat } from '../supervise/identity.ts';
import type { ProcessIdentity } from '../supervise/identity.ts';
import type { TargetProcess } from '../targets/launchTarget.ts';

const lookEveryMs = 500;

/** Another program’s process, which is observed and never signalled: to stop it is to end the observation. */
export class AttachedProcess implements TargetProcess {
  readonly log = new BoundedLog();
  readonly exited: Promise<{ code: null; signal: null }>;
  readonly pid: number;
  readonly pgid: number;
  #ended: () => void = () => undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(
    readonly name: string,
    private readonly identity: ProcessIdentity,
    /** Undoes what was put into it. */
    private readonly release: () => void,
  ) {
    this.pid = identity.pid;
    this.pgid = processStat(identity.pid)?.pgid ?? identity.pid;
    this.exited = new Promise((resolve) => (this.#ended = () => resolve({ code: null, signal: null })));
    this.#timer = setInterval(() => {
      if (!this.running) this.#end();
    }, lookEveryMs).unref();
  }

  get running(): boolean {
    return isSameProcess(this.identity);
  }

  /** Ends the observation; the process runs as before. */
  stop(): Promise<void> {
    this.#end();
    return Promise.resolve();
  }

  kill(): Promise<void> {
    return Promise.reject(failure('runs-already', `${this.name} runs already, and is not ended.`, 'Let Benchside start it, by a command.'));
  }

  #end(): void {
    clearInterval(this.#timer);
    this.release();
    this.#ended();
  }
}
