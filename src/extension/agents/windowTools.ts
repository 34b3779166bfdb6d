import * as vscode from 'vscode';
import type { AgentHost, MeasuringRequest } from '../../agents/agentHost.ts';
import { AgentSession } from '../../agents/agentSession.ts';
import { declaredIn } from '../../agents/allowance.ts';
import { takeTurn } from '../../agents/turn.ts';
import { userStorageDir } from '../../agents/userStorage.ts';
import { agentTools, type AgentToolName } from '../../model/agents/agentTools.ts';
import { confirmationOf } from '../../model/agents/confirmation.ts';
import { failure } from '../../model/domain/failure.ts';
import type { ParamsInput, ResultOf } from '../../model/protocol/protocol.ts';
import { toolPrefix } from '../kit/ids.ts';
import { escapeMarkdown } from '../kit/row.ts';
import { markdown } from '../kit/safeUi/markdown.ts';
import { plainLine } from '../kit/safeUi/plainLine.ts';
import { workspaceDir } from '../kit/workspaceFiles.ts';
import type { Services } from '../services/services.ts';

/** The tools of this window: on its engine, and seen where a person’s own runs are. */
export class WindowTools {
  #session: Promise<AgentSession> | undefined;
  /** What a person was last shown that would be started, as a digest. */
  #shown: string | undefined;

  constructor(private readonly services: Services) {}

  /** What a person is shown and asked before it is invoked. */
  async prepare(name: AgentToolName, input: unknown): Promise<vscode.PreparedToolInvocation> {
    const invocationMessage = plainLine(`Benchside: ${agentTools[name].title}`);
    if (!agentTools[name].measures) return { invocationMessage };
    const catalog = await this.services.engine.request('catalog/get', {});
    const folder = (await workspaceDir())?.fsPath;
    const declared = folder === undefined ? null : declaredIn(folder);
    this.#shown = declared?.sha256;
    const starts =
      declared === null ? [] : [...declared.targets.flatMap(({ id, lines }) => lines.map((line) => `${id}, ${line}`)), ...declared.shared];
    const asked = confirmationOf(name, input, catalog, { starts, strangers: await this.#strangers(name, input) });
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

  /** Versions of the code that HEAD does not come after, or which nothing is known of. */
  async #strangers(name: AgentToolName, input: unknown): Promise<string[]> {
    const asked = name === 'compare_code' ? agentTools.compare_code.input.safeParse(input ?? {}).data : undefined;
    const named = [asked?.base, asked?.head].filter((ref) => ref !== undefined && ref !== 'HEAD') as string[];
    const found: string[] = [];
    for (const good of named) await this.services.engine.request('diff/commits', { good, bad: 'HEAD' }).catch(() => found.push(good));
    return found;
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
      measure: (request, params, signal) => this.#measure(request, this.#bound(request, params), signal),
      onRunEvent: (listener) => engine.on('run/event', listener),
      takeTurn: () => takeTurn(userStorageDir()),
    };
    return new AgentSession(host);
  }

  /** The engine compares what it starts with what was shown, even if the file is replaced in the meantime. */
  #bound<N extends MeasuringRequest>(name: N, params: ParamsInput<N>): ParamsInput<N> {
    return name === 'check/run' || this.#shown === undefined ? params : { ...params, starts: this.#shown };
  }

  /** Runs and tunings are shown, and can be cancelled, as those that a person starts. */
  async #measure<N extends MeasuringRequest>(name: N, params: ParamsInput<N>, signal: AbortSignal): Promise<ResultOf<N>> {
    const { engine, runs, inventory } = this.services;
    const cancel = (): void => void runs.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      if (name !== 'measure/start') return await engine.request(name, params, signal);
      const { request, starts } = params as ParamsInput<'measure/start'>;
      if (request.kind === 'diff') return await engine.request(name, params, signal);
      return (await runs.run(request, { starts })) as ResultOf<N>;
    } finally {
      signal.removeEventListener('abort', cancel);
      inventory.runs.refresh();
    }
  }
}
