import path from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import packageManifest from '../../package.json' with { type: 'json' };
import { AgentSession } from '../agents/agentSession.ts';
import { Allowance, declaredIn } from '../agents/allowance.ts';
import { takeTurn } from '../agents/turn.ts';
import type { AgentHost } from '../agents/agentHost.ts';
import { type EngineClient, startEngine } from '../engine/rpc/engineClient.ts';
import { type AgentTool, agentInstructions, agentToolNames, agentTools } from '../model/agents/agentTools.ts';
import { failure } from '../model/domain/failure.ts';
import { onOneLine } from '../model/domain/plainText.ts';
import { confirm } from './confirm.ts';
import type { Output } from './output.ts';
import type { Given, Places } from './command.ts';
import { engineParams } from './commonOptions.ts';
import type { McpAsked } from './mcpOptions.ts';

/** `benchside mcp`: serves until standard input ends; `--allow` and `--forbid` are for the user alone. */
export async function mcp(command: Given<McpAsked>, places: Places, { tell }: Pick<Output, 'tell'>): Promise<number> {
  const allowance = new Allowance(places.storageDir(), path.resolve(command.workspace));
  switch (command.does) {
    case 'allow':
      return allow(command, allowance, tell);
    case 'forbid':
      await allowance.forbid();
      tell('Agents may not measure in this folder any more.');
      return 0;
    case 'serve':
      await serve(command, places, allowance, tell);
      return 0;
  }
}

/** Asks the person at the terminal; where there is none, it is refused: a program shall not allow itself. */
async function allow({ workspace }: Given<McpAsked>, allowance: Allowance, tell: Output['tell']): Promise<number> {
  const shown = declaredIn(path.resolve(workspace));
  tell(
    `Agents that start “benchside mcp” in ${path.resolve(workspace)} could then measure on this machine, which starts the bundled samples and:`,
  );
  // Whole: what is cut or left out may be what matters.
  for (const { id, lines } of shown.targets) for (const line of [id, ...lines.map((one) => `  ${one}`)]) tell(`  ${onOneLine(line)}`);
  for (const line of shown.shared) tell(`  ${onOneLine(line)}`);
  if (shown.targets.length === 0) tell('  (benchside.json declares nothing here)');
  tell(
    'They can name no other command, and compare no code that HEAD does not descend from. You will be asked again when what benchside.json starts has changed.',
  );
  const agreed = await confirm('Allow it?', new AbortController().signal);
  if (agreed === null)
    throw failure('not-allowed', 'Nobody was there to be asked.', 'Run “benchside mcp --allow” yourself, in a terminal.');
  if (!agreed) {
    tell('Nothing was allowed.');
    return 1;
  }
  await allowance.allow(shown);
  tell('Allowed. “benchside mcp --forbid” takes it back.');
  return 0;
}

async function serve(
  command: Given<McpAsked>,
  { assetsDir, enginePath, storageDir }: Places,
  allowance: Allowance,
  tell: Output['tell'],
): Promise<void> {
  let starting: Promise<EngineClient> | null = null;
  const engine = async (): Promise<EngineClient> => {
    starting ??= startEngine({
      nodePath: process.execPath,
      enginePath,
      initialize: engineParams(command, assetsDir, storageDir()),
    }).then((client) => {
      for (const warning of client.warnings) tell(warning);
      for (const listener of listeners) client.on('run/event', listener);
      // The next call starts another one.
      void client.closed.then(() => {
        starting = null;
      });
      return client;
    });
    const current = starting;
    return current.catch((error: unknown) => {
      if (starting === current) starting = null;
      throw error;
    });
  };
  const listeners = new Set<Parameters<AgentHost['onRunEvent']>[0]>();
  const request: AgentHost['request'] = async (name, params, signal) => (await engine()).request(name, params, signal);
  const host: AgentHost = {
    workspaceDir: path.resolve(command.workspace),
    toolPrefix: '',
    refusal: () => Promise.resolve(allowance.refusal()),
    request,
    measure: (name, params, signal) => {
      // The engine reads benchside.json itself: what it starts has to be what the user allowed, even if the file is replaced in the meantime.
      const starts = name === 'check/run' ? {} : { starts: allowance.starts() ?? 'nothing' };
      return request(name, { ...params, ...starts, ...(name === 'measure/start' ? { ancestorsOnly: true } : {}) }, signal);
    },
    onRunEvent: (listener) => {
      listeners.add(listener);
      void starting?.then((client) => client.on('run/event', listener)).catch(() => undefined);
      return { dispose: () => listeners.delete(listener) };
    },
    takeTurn: () => takeTurn(storageDir()),
  };
  const session = new AgentSession(host);
  const serving = serveStdio(() => serverOf(session), { onerror: (error) => tell(error.message) });
  await untilItEnds();
  await serving.close().catch(() => undefined);
  // First the measurement, which is notified; then the engine, with everything it started.
  const ended = session.dispose();
  const client = await (starting as Promise<EngineClient> | null)?.catch(() => undefined);
  await client?.dispose();
  await ended;
}

/** The end of standard input is the end of the connection; so is a signal. */
function untilItEnds(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

function serverOf(session: AgentSession): McpServer {
  const server = new McpServer(
    { name: 'benchside', title: 'Benchside', version: packageManifest.version },
    { capabilities: { tools: {} }, instructions: agentInstructions },
  );
  for (const name of agentToolNames) {
    const { title, description, input, hints }: AgentTool = agentTools[name];
    const annotations = { title, ...hints };
    server.registerTool(name, { title, description, inputSchema: input, annotations }, async (given: unknown, context) => {
      const { text, failed } = await session.call(name, given, context.mcpReq.signal);
      return { content: [{ type: 'text' as const, text }], ...(failed ? { isError: true } : {}) };
    });
  }
  return server;
}
