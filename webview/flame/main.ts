// First of all: it must be in force before any schema is made.
import '../kit/page/withoutEval.ts';
import { FlameApp } from './app/flameApp.ts';
import type { FlameChannel } from './app/flameChannel.ts';
import type { PageApi } from './app/vscodeChannel.ts';
import { reportPolicyViolations, vscodeChannel } from './app/vscodeChannel.ts';
import { startFlameModel } from './app/workerSource.ts';

/** A flame graph that talks through a channel; it fills the box it is put in. */
export function createFlame(channel: FlameChannel): HTMLElement {
  const app = new FlameApp();
  app.channel = channel;
  app.createModel = startFlameModel;
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
