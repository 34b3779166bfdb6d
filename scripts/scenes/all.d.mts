import type { ToPanel } from '../../src/model/panel.ts';

export const scenes: Readonly<Record<string, { messages?: readonly ToPanel[] }>>;
