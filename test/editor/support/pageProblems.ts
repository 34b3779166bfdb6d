import type { BrowserContext, ConsoleMessage, Page } from 'playwright-core';

/** What this server lacks of a packaged VS Code: not a fault of any extension. */
const HOST_NOISE = [
  /favicon/,
  /\/vsda\//,
  /\/update\/check/,
  /\/_static\//,
  /A bad HTTP response code \(404\) was received when fetching the script/,
  // Its own log, which it cannot write any more once the window is being reloaded.
  /Unable to write file 'vscode-log:/,
  /Long running operations during shutdown are unsupported in the web/,
];
const POLICY_MESSAGE = /Content Security Policy/;

interface PolicyViolation {
  directive: string;
  blocked: string;
  source: string;
  sample: string;
}

/** Collects what goes wrong in the window and in its webviews: console errors, uncaught errors, content-policy violations. */
export class PageProblems {
  readonly consoleErrors: string[] = [];
  /** Violations in webviews; those of the workbench itself are VS Code's own affair. */
  readonly policyViolations: string[] = [];

  async watch(context: BrowserContext, page: Page): Promise<void> {
    await context.exposeBinding('reportPolicyViolation', ({ frame }, violation: PolicyViolation) => {
      if (isWebview(frame.url())) {
        this.policyViolations.push(`${violation.directive} blocked ${violation.blocked} ${violation.sample} (${violation.source})`);
      }
    });
    await context.addInitScript(reportViolationsOfThisFrame);
    page.on('console', (message) => this.#onConsole(message));
    page.on('pageerror', (error) => this.consoleErrors.push(error.stack ?? error.message));
  }

  #onConsole(message: ConsoleMessage): void {
    const text = message.text();
    const { url } = message.location();
    if (POLICY_MESSAGE.test(text)) {
      if (isWebview(url) || url === '') this.policyViolations.push(text);
    } else if (message.type() === 'error' && !HOST_NOISE.some((noise) => noise.test(text) || noise.test(url))) {
      this.consoleErrors.push(`${text} (${url})`);
    }
  }
}

function isWebview(url: string): boolean {
  return url.includes('/contrib/webview/') || url.includes('vscode-resource');
}

/** Runs in every frame. A webview's content is written into its frame by document.open(), which takes all listeners away: listen again then. */
function reportViolationsOfThisFrame(): void {
  const report = (globalThis as unknown as { reportPolicyViolation?: (violation: PolicyViolation) => void }).reportPolicyViolation;
  const onViolation = (event: SecurityPolicyViolationEvent) =>
    report?.({
      directive: event.effectiveDirective,
      blocked: event.blockedURI,
      source: `${event.sourceFile}:${event.lineNumber}`,
      sample: event.sample,
    });
  const listen = (target: Document) => target.addEventListener('securitypolicyviolation', onViolation);
  const open = Document.prototype.open as (this: Document, ...rest: unknown[]) => Document;
  Document.prototype.open = function reopen(this: Document, ...rest: unknown[]) {
    const opened = open.apply(this, rest);
    listen(this);
    return opened;
  } as typeof Document.prototype.open;
  listen(document);
}
