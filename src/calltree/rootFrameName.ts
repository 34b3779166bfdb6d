const rootFrame = /^\[(?:process \d+|worker)\b[^\]]*\]$/;

/** The name of the frame at the root of a process, or of a worker thread of it. */
export function rootFrameName(what: { process: number; title: string } | { thread: string }): string {
  const text = 'thread' in what ? what.thread : `process ${what.process}${what.title === '' ? '' : ` · ${what.title}`}`;
  return `[${text.replaceAll(/[[\]]/g, '')}]`;
}

/** Whether a frame represents a whole process or thread, and is no function. */
export function isRootFrame(name: string): boolean {
  return rootFrame.test(name);
}
