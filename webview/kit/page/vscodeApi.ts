import { type FromPanel, type ToPanel, toPanelSchema } from '../../../src/model/protocol/panel.ts';

interface VsCodeApi {
  postMessage(message: FromPanel): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  /** Given by VS Code to every webview; it may be called once. */
  function acquireVsCodeApi(): VsCodeApi;
}

const api = acquireVsCodeApi();

export function post(message: FromPanel): void {
  api.postMessage(message);
}

/** What was kept with {@link keep}, unchecked; `undefined` the first time. */
export function kept(): unknown {
  return api.getState();
}

/** Keeps a value over hiding and reload of the panel. */
export function keep(state: unknown): void {
  api.setState(state);
}

/** Calls back with every message from the extension that fits the protocol; one that does not is reported instead of being lost. */
export function listen(onMessage: (message: ToPanel) => void): void {
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const parsed = toPanelSchema.safeParse(event.data);
    if (parsed.success) {
      onMessage(parsed.data);
      return;
    }
    const issue = parsed.error.issues[0];
    onMessage({
      type: 'failure',
      failure: {
        code: 'panel-message',
        message: 'The panel received a message that it does not understand.',
        cure: 'Close the panel and open it again. If that does not help, reload the window.',
        ...(issue ? { detail: `${issue.path.join('.')}: ${issue.message}` } : {}),
      },
    });
  });
}

/** Reports everything the page's security policy refuses: there should be nothing. */
export function reportPolicyViolations(): void {
  document.addEventListener('securitypolicyviolation', (event) => {
    post({ type: 'policyViolation', directive: event.effectiveDirective, blocked: event.blockedURI || event.sample });
  });
}
