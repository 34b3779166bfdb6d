// First of all: it must be in force before any schema is made.
import '../kit/page/withoutEval.ts';
import type { FromFlame } from '../../src/model/domain/flame.ts';
import { FlameApp } from './app/flameApp.ts';
import { type FlameChannel, readMessage } from './app/flameChannel.ts';
import '../kit/style/palette.ts';

/** What VS Code gives to a page of its own; see `acquireVsCodeApi`, which may be called once. */
interface PageApi {
  postMessage(message: FromFlame): void;
  getState(): unknown;
  setState(state: unknown): void;
}

function vscodeChannel(api: PageApi): FlameChannel {
  return {
    hosted: true,
    post: (message) => api.postMessage(message),
    listen: (callback) => {
      const take = (event: MessageEvent<unknown>): void => callback(readMessage(event.data));
      window.addEventListener('message', take);
      return () => window.removeEventListener('message', take);
    },
    kept: () => api.getState(),
    keep: (state) => api.setState(state),
  };
}

/** Reports everything the page's security policy refuses: there should be nothing. */
function reportPolicyViolations(channel: FlameChannel): void {
  document.addEventListener('securitypolicyviolation', (event) => {
    channel.post({ type: 'policyViolation', directive: event.effectiveDirective, blocked: event.blockedURI || event.sample });
  });
}

/** A flame graph that talks through a channel; it fills the box it is put in. */
export function createFlame(channel: FlameChannel): HTMLElement {
  const app = new FlameApp();
  app.channel = channel;
  return app;
}

/** The Workbench panel names this bundle and calls {@link createFlame} itself: it is the one that talks to VS Code there. */
const isEmbedded = document.querySelector('meta[name="benchside-flame"]') !== null;

if (!isEmbedded) {
  /** Given by VS Code to every page; it may be called once. */
  const { acquireVsCodeApi } = globalThis as unknown as { acquireVsCodeApi: () => PageApi };
  const channel = vscodeChannel(acquireVsCodeApi());
  reportPolicyViolations(channel);
  document.body.append(createFlame(channel));
}
