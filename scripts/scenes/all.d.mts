import type { ToPanel } from '../../src/model/protocol/panel.ts';

export const scenes: Readonly<Record<string, { messages?: readonly ToPanel[] }>>;
