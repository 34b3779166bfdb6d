import * as vscode from 'vscode';
import { serverProviderId, toolNames, toolPrefix } from '../kit/ids.ts';
import { workspaceDir } from '../kit/workspaceFiles.ts';
import type { Services } from '../services/services.ts';
import type { WindowTools } from './windowTools.ts';

/** Functions of later editors in addition to tools or in place of them. The declarations that we build with do not contain them. */
interface LaterLanguageModels {
  registerMcpServerDefinitionProvider?: (
    id: string,
    provider: { provideMcpServerDefinitions: () => Promise<unknown[]> },
  ) => vscode.Disposable;
}
type ServerDefinition = new (label: string, command: string, args: string[], env: Record<string, string>) => unknown;

/**
 * Gives language models the tools that agents have in a terminal, on this window’s engine. An editor without such tools is offered the server that
 * the terminal has, where it knows of servers. What answers is loaded at the first call.
 */
export function registerTools(services: Services): vscode.Disposable[] {
  // Editors made of older sources have no `lm`, or less of it than ours is built with.
  const models = vscode.lm as (Partial<typeof vscode.lm> & LaterLanguageModels) | undefined;
  if (models?.registerTool !== undefined) return toolsOf(services, models.registerTool);
  const register = models?.registerMcpServerDefinitionProvider;
  const Definition = (vscode as unknown as { McpStdioServerDefinition?: ServerDefinition }).McpStdioServerDefinition;
  if (register === undefined || Definition === undefined) return [];
  return [register(serverProviderId, { provideMcpServerDefinitions: () => serverOf(services, Definition) })];
}

function toolsOf(services: Services, register: typeof vscode.lm.registerTool): vscode.Disposable[] {
  let loading: Promise<WindowTools> | undefined;
  const tools = (): Promise<WindowTools> => (loading ??= import('./windowTools.ts').then(({ WindowTools: Tools }) => new Tools(services)));
  return [
    ...toolNames.map((name) =>
      register<unknown>(`${toolPrefix}${name}`, {
        prepareInvocation: async ({ input }) => (await tools()).prepare(name, input),
        invoke: async ({ input }, token) => (await tools()).invoke(name, input, token),
      }),
    ),
    { dispose: () => void loading?.then((one) => one.dispose()) },
  ];
}

async function serverOf({ context }: Services, Definition: ServerDefinition): Promise<unknown[]> {
  const folder = await workspaceDir();
  if (folder === null || !vscode.workspace.isTrusted) return [];
  const program = vscode.Uri.joinPath(context.extensionUri, 'dist', 'cli.cjs').fsPath;
  return [new Definition('Benchside', process.execPath, [program, 'mcp', '--workspace', folder.fsPath], { ELECTRON_RUN_AS_NODE: '1' })];
}
