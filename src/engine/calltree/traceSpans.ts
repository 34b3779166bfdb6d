/** Something that began and ended; µs of any clock. */
export interface Span {
  name: string;
  startUs: number;
  endUs: number;
  /** Among spans that begin and end at the same times the one with the least is around the others. */
  order: number;
}

interface Into {
  child: (parent: number, name: string) => number;
  weigh: (node: number, us: number) => void;
}

/**
 * Puts the spans of one thread below `root`, each below the one in which it began, and weighs each by its time without that of those in it. What ends after
 * the span around it is cut at that one's end.
 */
export function addSpans(spans: readonly Span[], root: number, { child, weigh }: Into): void {
  const ordered = [...spans].sort((a, b) => a.startUs - b.startUs || b.endUs - a.endUs || a.order - b.order);
  const open: { node: number; endUs: number; selfUs: number }[] = [];
  const close = (): void => {
    const ended = open.pop();
    if (ended !== undefined) weigh(ended.node, Math.max(0, ended.selfUs));
  };
  for (const { name, startUs, endUs } of ordered) {
    while (open.length > 0 && (open.at(-1)?.endUs ?? 0) <= startUs) close();
    const around = open.at(-1);
    const cutUs = Math.min(endUs, around?.endUs ?? endUs);
    const selfUs = cutUs - startUs;
    if (around !== undefined) around.selfUs -= selfUs;
    open.push({ node: child(around?.node ?? root, name), endUs: cutUs, selfUs });
  }
  while (open.length > 0) close();
}
