import { type Asked, command } from './command.ts';
import { flag } from './options.ts';
import { wrong } from './values.ts';

export const mcpCommand = command({
  words: 'mcp',
  description: 'serve coding agents (Model Context Protocol) on standard input and output',
  options: {
    allow: flag('--allow', 'let agents measure in this folder: asks you, and starts nothing'),
    forbid: flag('--forbid', 'take that back'),
  },
  means: ({ allow, forbid }) => {
    if (allow && forbid) throw wrong('--allow and --forbid do not go together.');
    return { does: allow ? ('allow' as const) : forbid ? ('forbid' as const) : ('serve' as const) };
  },
});

/** What `benchside mcp` is to do: serve, or keep what the user says about it. */
export type McpAsked = Asked<typeof mcpCommand>;
