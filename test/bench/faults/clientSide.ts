import { createInterface } from 'node:readline';
import { type ProcessIdentity, processIdentity } from '../../../src/engine/supervise/identity.ts';
import { type OwnedProcess, nobody, signalProcess, startOwned } from '../../support/ownedProcesses.ts';
import { waitFor } from '../../support/waitFor.ts';
import type { ClientOrder, ClientSays } from './clientTalk.ts';

/** Wide: the machine may be busy with other things. */
export const goneTimeoutMs = 90_000;

export async function within(condition: () => boolean, timeoutMs: number, everyMs = 20): Promise<boolean> {
  return waitFor(condition, { timeoutMs, everyMs }).then(
    () => true,
    () => false,
  );
}

/** A client as the bench sees it. */
export class ClientSide {
  #said: ClientSays[] = [];

  private constructor(readonly owned: OwnedProcess) {
    const { stdout, stdin } = owned.process;
    stdin?.on('error', () => undefined);
    if (stdout !== null) createInterface({ input: stdout }).on('line', (line) => this.#said.push(JSON.parse(line) as ClientSays));
  }

  static async start(clientArguments: readonly string[], temporaryDir: string): Promise<ClientSide> {
    return new ClientSide(
      await startOwned(process.execPath, clientArguments, {
        stdio: ['pipe', 'pipe', 'ignore'],
        env: { ...process.env, TMPDIR: temporaryDir },
      }),
    );
  }

  all<T extends ClientSays['type']>(type: T): Extract<ClientSays, { type: T }>[] {
    return this.#said.filter((line): line is Extract<ClientSays, { type: T }> => line.type === type);
  }

  order(order: ClientOrder): void {
    this.owned.process.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  get hasEnded(): boolean {
    return this.owned.process.exitCode !== null || this.owned.process.signalCode !== null;
  }

  /** The engine that it started first; nobody until it has. */
  get engine(): ProcessIdentity {
    return processIdentity(this.all('engine')[0]?.pid ?? 0) ?? nobody;
  }

  /** Forgets what was said of activities that are over. */
  forget(): void {
    this.#said = this.#said.filter(({ type }) => type !== 'phase' && type !== 'ended');
  }

  get stored(): string[] {
    return this.all('ended').flatMap(({ stored }) => stored ?? []);
  }

  /** Lets it leave, and waits for that; whether it did in time. */
  async leave(): Promise<boolean> {
    this.order('leave');
    const hasLeft = await within(() => this.hasEnded, goneTimeoutMs);
    signalProcess(this.owned.identity, 'SIGKILL');
    await this.owned.exited;
    return hasLeft;
  }
}
