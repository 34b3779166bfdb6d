import type { Output } from './output.ts';

/** Where a command's words go, and what ends it. `write` makes a file. */
export interface Terminal extends Pick<Output, 'print' | 'json' | 'tell' | 'line' | 'document'> {
  signal: AbortSignal;
  write: (file: string, text: string) => void;
}
