import type { Services } from '../services/services.ts';
import { FlameConversation } from './flameConversation.ts';
import { recordingUri } from './flameUris.ts';

/** The flame graph within the Workbench panel: one recording at a time. */
export class PanelFlame {
  #shown: { id: string; conversation: Promise<FlameConversation | undefined> } | undefined;

  /** `services` is asked late, since this is one of them. */
  constructor(private readonly services: () => Services) {}

  /** A message of the panel's flame graph, unchecked. Another recording's ends the conversation of the one before. */
  async receive(recordingId: string, message: unknown): Promise<void> {
    if (this.#shown?.id !== recordingId) {
      this.dispose();
      this.#shown = { id: recordingId, conversation: this.#begin(recordingId) };
    }
    await (await this.#shown.conversation)?.receive(message);
  }

  /** The panel is closed, or its page was reloaded. */
  dispose(): void {
    void this.#shown?.conversation.then((conversation) => conversation?.dispose());
    this.#shown = undefined;
  }

  async #begin(id: string): Promise<FlameConversation | undefined> {
    const services = this.services();
    const recording = (await services.inventory.recordings.get()).find((one) => one.id === id);
    if (recording === undefined) return undefined;
    const place = {
      send: (message: unknown) => services.panel.send({ type: 'flame', recordingId: id, message }),
      viewColumn: () => services.panel.viewColumn,
    };
    return new FlameConversation(services, place, recordingUri(recording));
  }
}
