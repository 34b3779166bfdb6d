/** The event by which a chip asks for the strip that shows the interference over the run. */
export const revealEvent = 'benchside-reveal-interference';

/** How long a request to reveal it is valid: as long as a view may take to load and draw. Later it would scroll a page unasked. */
const patienceMs = 3_000;
let askedAt = Number.NEGATIVE_INFINITY;

/** Leads to the strip: one that is on the page answers at once, one whose view is still to be loaded when it comes. */
export function revealInterference(): void {
  askedAt = performance.now();
  window.dispatchEvent(new Event(revealEvent));
}

/** Whether the strip was asked for just now; asking takes the wish away. */
export function takeReveal(): boolean {
  const wanted = performance.now() - askedAt < patienceMs;
  askedAt = Number.NEGATIVE_INFINITY;
  return wanted;
}
