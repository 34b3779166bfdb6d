import * as vscode from 'vscode';
import type { AgentHost, MeasuringRequest } from '../../agents/agentHost.ts';
import { AgentSession } from '../../agents/agentSession.ts';
import { takeTurn } from '../../agents/turn.ts';
import { userStorageDir } from '../../agents/userStorage.ts';
import type { AgentToolName } from '../../model/agent/agentTools.ts';
import { agentTools } from '../../model/agent/agentTools.ts';
import { confirmationOf } from '../../model/agent/confirmation.ts';
import { failure } from '../../model/failure.ts';
import type { ParamsInput, ResultOf } from '../../model/protocol.ts';
import { toolPrefix } from '../kit/ids.ts';
import { escapeMarkdown } from '../kit/row.ts';
import { markdown } from '../kit/words/markdown.ts';
import { plainLine } from '../kit/words/plainLine.ts';
import { workspaceDir } from '../kit/workspaceFiles.ts';
import type { Services } from '../services/services.ts';

/** The tools of this window: on its engine, and seen where a person’s own runs are. */
export class WindowTools {
  #session: Promise<AgentSession> | undefined;

  constructor(private readonly services: Services) {}

  /** What a person is shown and asked before it is invoked. */
  async prepare(name: AgentToolName, input: unknown): Promise<vscode.PreparedToolInvocation> {
    const invocationMessage = plainLine(`Benchside: ${agentTools[name].title}`);
    if (!agentTools[name].measures) return { invocationMessage };
    const asked = confirmationOf(name, input, await this.services.engine.request('catalog/get', {}));
    if (asked === null) return { invocationMessage };
    const message = markdown(asked.lines.map((line) => escapeMarkdown(plainLine(line))).join('\n\n'));
    return { invocationMessage, confirmationMessages: { title: plainLine(asked.title), message } };
  }

  async invoke(name: AgentToolName, input: unknown, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult> {
    const cancelled = new AbortController();
    const subscription = token.onCancellationRequested(() => cancelled.abort());
    try {
      const session = await (this.#session ??= this.#begin());
      const { text } = await session.call(name, input, cancelled.signal);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    } finally {
      subscription.dispose();
    }
  }

  dispose(): void {
    void this.#session?.then((session) => session.dispose()).catch(() => undefined);
  }

  async #begin(): Promise<AgentSession> {
    const { engine } = this.services;
    const host: AgentHost = {
      workspaceDir: (await workspaceDir())?.fsPath ?? null,
      toolPrefix,
      refusal: () =>
        Promise.resolve(
          vscode.workspace.isTrusted
            ? null
            : failure('untrusted', 'The user does not trust this workspace.', 'They can, by “Workspaces: Manage Workspace Trust”.').failure,
        ),
      request: (request, params, signal) => engine.request(request, params, signal),
      measure: (request, params, signal) => this.#measure(request, params, signal),
      onRunEvent: (listener) => engine.onRunEvent(listener),
      takeTurn: () => takeTurn(userStorageDir()),
    };
    return new AgentSession(host);
  }

  /** Runs and tunings are shown, and can be cancelled, as those that a person starts. */
  async #measure<N extends MeasuringRequest>(name: N, params: ParamsInput<N>, signal: AbortSignal): Promise<ResultOf<N>> {
    const { engine, runs, panel, inventory } = this.services;
    const cancel = (): void => void runs.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      if (name === 'tune/start')
        return (await runs.run({ kind: 'tune', request: params as ParamsInput<'tune/start'> }, panel)) as ResultOf<N>;
      if (name !== 'run/start') return await engine.request(name, params, signal);
      const { runRequestSchema } = await import('../../model/run.ts');
      return (await runs.run({ kind: 'run', request: runRequestSchema.parse(params) }, panel)) as ResultOf<N>;
    } finally {
      signal.removeEventListener('abort', cancel);
      inventory.refreshRuns();
    }
  }
}
