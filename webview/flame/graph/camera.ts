import { type Viewport, between, sameStretch, wholeWidth, withinBounds } from './viewport.ts';

const moveMs = 140;
const longestMemory = 100;

function reducedMotion(): boolean {
  return document.body.classList.contains('vscode-reduce-motion') || matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** The visible part of the graph, its way to the next place, and where it came from. */
export class Camera {
  viewport: Viewport = wholeWidth;
  #goal: Viewport = wholeWidth;
  #start: Viewport = wholeWidth;
  #startTime: number | null = null;
  #moving = false;
  #memory: Viewport[] = [];

  /** `changed` is called when there is something to draw. */
  constructor(private readonly changed: () => void) {}

  /** Its destination while it moves, else its place. */
  get target(): Viewport {
    return this.#moving ? this.#goal : this.viewport;
  }

  /** At once, as when dragging. */
  jump(viewport: Viewport): void {
    this.viewport = withinBounds(viewport);
    this.#moving = false;
    this.changed();
  }

  /** Smoothly, within 140 ms; at once where the user wants less motion. `remember`: {@link back} leads here again. */
  glide(viewport: Viewport, remember: boolean): void {
    const goal = withinBounds(viewport);
    if (remember && !sameStretch(goal, this.target)) {
      this.#memory.push(this.target);
      if (this.#memory.length > longestMemory) this.#memory.shift();
    }
    if (reducedMotion()) {
      this.jump(goal);
      return;
    }
    this.#start = this.viewport;
    this.#goal = goal;
    this.#startTime = null;
    this.#moving = true;
    this.changed();
  }

  /** To where the last remembered move began; false where there is none. */
  back(): boolean {
    const last = this.#memory.pop();
    if (last === undefined) return false;
    this.glide(last, false);
    return true;
  }

  forgetMoves(): void {
    this.#memory = [];
  }

  /** Takes the vertical place that the user scrolled to. */
  scrolledTo(scrollY: number): void {
    this.viewport = { ...this.viewport, scrollY };
    if (this.#moving) this.#goal = { ...this.#goal, scrollY };
  }

  /** One frame on; true as long as it moves. */
  step(now: number): boolean {
    if (!this.#moving) return false;
    this.#startTime ??= now;
    const share = Math.min(1, (now - this.#startTime) / moveMs);
    this.viewport = between(this.#start, this.#goal, 1 - (1 - share) ** 3);
    this.#moving = share < 1;
    return this.#moving;
  }
}
