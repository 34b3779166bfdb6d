import { flag } from './options.ts';
import type { Values } from './options.ts';
import { wrong } from './values.ts';

/** What `benchside mcp` is to do: serve, or keep what the user says about it. */
export interface McpOptions {
  does: 'serve' | 'allow' | 'forbid';
}

export const mcpOptions = {
  allow: flag('--allow', 'let agents measure in this folder: asks you, and starts nothing'),
  forbid: flag('--forbid', 'take that back'),
};

export function mcpMeans({ allow, forbid }: Values<typeof mcpOptions>): McpOptions {
  if (allow && forbid) throw wrong('--allow and --forbid do not go together.');
  return { does: allow ? 'allow' : forbid ? 'forbid' : 'serve' };
}
