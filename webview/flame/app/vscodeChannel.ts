import type { FromFlame } from '../../../src/model/flame.ts';
import type { FlameChannel } from './flameChannel.ts';
import { readMessage } from './flameChannel.ts';

/** What VS Code gives to a page of its own; see `acquireVsCodeApi`, which may be called once. */
export interface PageApi {
  postMessage(message: FromFlame): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** The channel of a flame graph that is a page of VS Code. */
export function vscodeChannel(api: PageApi): FlameChannel {
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
export function reportPolicyViolations(channel: FlameChannel): void {
  document.addEventListener('securitypolicyviolation', (event) => {
    channel.post({ type: 'policyViolation', directive: event.effectiveDirective, blocked: event.blockedURI || event.sample });
  });
}
