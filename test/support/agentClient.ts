import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Allowance } from '../../src/agents/allowance.ts';
import type { AgentToolName } from '../../src/model/agents/agentTools.ts';
import type { ProcessIdentity } from '../../src/engine/supervise/identity.ts';
import { engineProcesses, repositoryDir } from './engine.ts';

/** What a tool said, taken apart as a client that reads text alone can. */
export interface Told {
  text: string;
  failed: boolean;
  /** The lines outside of the data: `key: value`. */
  own: string[];
  /** The lines of the data, without their mark. */
  data: string[];
  /** The calls that it names. */
  next: { tool: AgentToolName; input: Record<string, unknown> }[];
}

/** On a machine with much else to do a process may take minutes to start; what the tools themselves take is bounded by them. */
const patienceMs = 240_000;

/** A client of the Model Context Protocol with a `benchside mcp` of its own. `handshake`: the one from before 2026, or the one that replaced it. */
export class AgentClient {
  /** Calls so far, those of them that only waited, and the characters of all answers. */
  calls = 0;
  waits = 0;
  characters = 0;

  private constructor(
    readonly client: Client,
    readonly serverPid: number,
  ) {}

  static async start(
    workspaceDir: string,
    storageDir: string,
    { handshake = 'modern', allowed = true }: { handshake?: 'modern' | 'older'; allowed?: boolean } = {},
  ): Promise<AgentClient> {
    if (allowed) await new Allowance(storageDir, workspaceDir).allow();
    const client = new Client(
      { name: 'a client of the tests', version: '1' },
      handshake === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {},
    );
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [path.join(repositoryDir, 'dist/cli.cjs'), 'mcp'],
      cwd: workspaceDir,
      env: { ...(process.env as Record<string, string>), BENCHSIDE_STORAGE: storageDir },
      stderr: 'ignore',
    });
    await client.connect(transport, { timeout: patienceMs });
    return new AgentClient(client, transport.pid ?? 0);
  }

  async call(tool: AgentToolName, input: Record<string, unknown> = {}, signal?: AbortSignal): Promise<Told> {
    for (;;) {
      const result = await this.client.callTool(
        { name: tool, arguments: input },
        {
          timeout: patienceMs,
          ...(signal === undefined ? {} : { signal }),
        },
      );
      const [content] = result.content as { type: string; text?: string }[];
      const text = content?.text ?? '';
      this.calls += 1;
      this.characters += text.length;
      // On a machine that is busier than any user's, it is done as it says.
      if (!text.includes('failure: engine-silent')) return toldBy(text, result.isError === true);
    }
  }

  /** Looks again and again, as an agent does, until it has ended. */
  async untilEnded(handle: string, waitS = 25): Promise<Told> {
    for (;;) {
      const told = await this.call('get_run', { run: handle, waitS });
      if (!/^state: (measuring|cancelling)$/m.test(told.text)) return told;
      this.waits += 1;
    }
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** An answer taken apart. */
export function toldBy(text: string, failed: boolean): Told {
  const lines = text.split('\n');
  const data = lines.filter((line) => line.startsWith('| '));
  const own = lines.filter((line) => !line.startsWith('| '));
  const next = own.flatMap((line) => {
    const found = /^next: (\w+) (\{.*\})$/.exec(line);
    return found === null ? [] : [{ tool: found[1] as AgentToolName, input: JSON.parse(found[2] ?? '') as Record<string, unknown> }];
  });
  return { text, failed, own, data: data.map((line) => line.slice(2)), next };
}

/** The handle that a start gave. */
export function handleOf({ text }: Told): string {
  return /^handle: (m\d+)/m.exec(text)?.[1] ?? '';
}

/** Every process of every engine that works in this storage, the engines among them. */
export function processesIn(storageDir: string): ProcessIdentity[] {
  const folder = path.join(storageDir, 'journals');
  return readdirSync(folder).flatMap((name) => {
    const [first = ''] = readFileSync(path.join(folder, name), 'utf8').split('\n');
    const { cookie, engine } = JSON.parse(first) as { cookie: string; engine: ProcessIdentity };
    return [engine, ...engineProcesses(engine.pid, cookie)];
  });
}
