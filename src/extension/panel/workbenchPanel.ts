import * as vscode from 'vscode';
import type { LiveEvent } from '../../model/protocol/live.ts';
import type { FromPanel, ToPanel } from '../../model/protocol/panel.ts';
import type { RunRecord } from '../../model/domain/run.ts';
import type { RunEvent } from '../../model/protocol/runEvent.ts';
import { Batcher } from './batcher.ts';
import { panelViewType } from '../kit/ids.ts';
import { Owner } from '../kit/owner.ts';
import { pageBundle } from './pageBundle.ts';
import { panelHtml } from './panelHtml.ts';
import { type Log } from '../kit/safeUi/log.ts';

/** What the panel asks of the rest of the extension. */
export interface PanelListener {
  /** The panel's page is there (again): everything it shows must be sent. */
  ready(shownRunId: string | null): void;
  message(message: Exclude<FromPanel, { type: 'ready' | 'policyViolation' }>): void;
  closed(): void;
}

const eventIntervalMs = 100;
/** What is sent in answer to `ready` anyway, so that it need not wait for the page; and what means nothing to a page that did not ask for it. */
const neverWaits: ReadonlySet<ToPanel['type']> = new Set([
  'catalog',
  'form',
  'runs',
  'starting',
  'runEvents',
  'adviceProgress',
  'liveEvents',
  'applied',
  'flame',
  'answered',
]);

/**
 * The Workbench panel: at most one per window. Messages that do not fit the schema are dropped, with a line in the log, in both
 * directions. While its page is hidden or not loaded yet nothing is sent: `ready` asks for everything again.
 */
export class WorkbenchPanel extends Owner implements vscode.WebviewPanelSerializer {
  #panel: vscode.WebviewPanel | undefined;
  #pageReady = false;
  #waiting: ToPanel[] = [];
  readonly #batches: Pick<Batcher<never>, 'clear' | 'deliverNow'>[] = [];
  /** Of the running benchmark. */
  readonly runEvents = this.#stream<RunEvent>((events, replay) => ({ type: 'runEvents', events, replay }));
  /** Of the live session. */
  readonly liveEvents = this.#stream<LiveEvent>((events, replay) => ({ type: 'liveEvents', events, replay }));
  readonly #visibilityEmitter = this.emitter<void>();
  /** It came to the front, went behind another editor, or was closed. */
  readonly onDidChangeVisibility = this.#visibilityEmitter.event;

  readonly #runShownEmitter = this.emitter<RunRecord>();
  /** A stored run is shown in it. */
  readonly onRunShown = this.#runShownEmitter.event;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly listener: PanelListener,
    private readonly log: Log,
  ) {
    super();
    this.owns(vscode.window.registerWebviewPanelSerializer(panelViewType, this), { dispose: () => this.#panel?.dispose() });
  }

  get isOpen(): boolean {
    return this.#panel !== undefined;
  }

  /** The group it is in. */
  get viewColumn(): vscode.ViewColumn | undefined {
    return this.#panel?.viewColumn;
  }

  get isVisible(): boolean {
    return this.#panel?.visible === true;
  }

  /** Opens the panel, or brings it to the front. */
  open(): void {
    if (this.#panel !== undefined) return this.#panel.reveal(undefined, false);
    closeUnfilledTabs();
    this.#adopt(vscode.window.createWebviewPanel(panelViewType, 'Benchside', vscode.ViewColumn.Active));
  }

  /** The editor calls it after a reload with a panel to fill. The page keeps its own state and says when it is ready. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    if (this.#panel === undefined) this.#adopt(panel);
    else panel.dispose();
  }

  /**
   * Sends a message, after the events that came before it. While the page is not there, the latest of each kind waits for it, except
   * what `ready` asks for anyway. Nothing is sent to a closed panel.
   */
  async send(message: ToPanel): Promise<void> {
    if (this.#panel === undefined) return;
    if (message.type === 'run') this.#runShownEmitter.fire(message.run);
    if (this.#pageReady) {
      for (const batch of this.#batches) batch.deliverNow();
      await this.#post(message);
    } else if (!neverWaits.has(message.type)) {
      this.#waiting = [...this.#waiting.filter((other) => other.type !== message.type), message];
    }
  }

  /** Called when everything was sent in answer to `ready`: sends what waited. */
  async sendWaiting(): Promise<void> {
    const messages = this.#waiting;
    this.#waiting = [];
    for (const message of messages) await this.#post(message);
  }

  /** Events on their way to the page. */
  #stream<E>(message: (events: E[], replay: boolean) => ToPanel) {
    const batch = new Batcher<E>(eventIntervalMs, (events) => void this.#post(message(events, false)));
    this.#batches.push(batch);
    this.owns(batch);
    return {
      /** Sends one together with others of the same tenth of a second. */
      add: (event: E): void => {
        if (this.#pageReady) batch.add(event);
      },
      /** Sends what happened so far; an empty list says that nothing is running. */
      replay: async (events: E[]): Promise<void> => {
        batch.clear();
        await this.send(message(events, true));
      },
    };
  }

  #adopt(panel: vscode.WebviewPanel): void {
    this.#panel = panel;
    this.#pageReady = false;
    this.#waiting = [];
    const media = (name: string): vscode.Uri => vscode.Uri.joinPath(this.extensionUri, 'media', name);
    panel.iconPath = { light: media('panel-light.svg'), dark: media('panel-dark.svg') };
    panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message));
    panel.onDidChangeViewState(() => {
      // The editor throws a hidden page away and loads it again when it is shown; the page then says `ready` again.
      if (!panel.visible) this.#pageReady = false;
      this.#visibilityEmitter.fire();
    });
    panel.onDidDispose(() => {
      this.#panel = undefined;
      this.listener.closed();
      this.#pageReady = false;
      this.#waiting = [];
      for (const batch of this.#batches) batch.clear();
      this.#visibilityEmitter.fire();
    });
    const { uriOf, ...parts } = pageBundle(panel.webview, this.extensionUri, 'workbench');
    panel.webview.html = panelHtml({ ...parts, flameScriptUri: uriOf('flame.js') });
  }

  async #receive(raw: unknown): Promise<void> {
    const { fromPanelSchema } = await import('../../model/protocol/panel.ts');
    const parsed = fromPanelSchema.safeParse(raw);
    if (!parsed.success) return this.log.warn(`A message from the panel was dropped: ${issuesOf(parsed.error)}`);
    const message = parsed.data;
    if (message.type === 'policyViolation')
      return this.log.error(`Content security policy violation in the panel: ${message.directive} blocked ${message.blocked}`);
    if (message.type !== 'ready') return this.listener.message(message);
    this.#pageReady = true;
    this.listener.ready(message.shownRunId);
  }

  async #post(message: ToPanel): Promise<void> {
    const { toPanelSchema } = await import('../../model/protocol/panel.ts');
    const parsed = toPanelSchema.safeParse(message);
    if (!parsed.success) return this.log.error(`A message to the panel was dropped (${message.type}): ${issuesOf(parsed.error)}`);
    await this.#panel?.webview.postMessage(parsed.data);
  }
}

// After a reload a panel in the background is a mere tab until it is clicked, and cannot be asked for: a new one takes its place.
function closeUnfilledTabs(): void {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const unfilled = tabs.filter((tab) => tab.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith(panelViewType));
  if (unfilled.length > 0) void vscode.window.tabGroups.close(unfilled, true);
}

function issuesOf(error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] }): string {
  return error.issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}`).join('; ');
}
