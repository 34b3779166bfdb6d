import type { Command } from './arguments.ts';

/** Where a command's words go. `print` is standard output, `tell` standard error. */
export interface Terminal {
  signal: AbortSignal;
  print: (text: string) => void;
  tell: (text: string) => void;
  terminal: { columns: number; write(text: string): boolean } | null;
  write: (file: string, text: string) => void;
}

/** The options of one command. */
export type Of<N extends Command['name']> = Extract<Command, { name: N }>;
