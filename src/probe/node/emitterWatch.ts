import { EventEmitter } from 'node:events';
import { placeNow } from './pools/asks.ts';

/** A class of event emitters that the probe knows. */
export interface KnownClass {
  /** By its prototype alone: called once for each class that the app makes objects of, so that getters must not be called. */
  recognizes(prototype: object): boolean;
  /** Called for every object of such a class, when its constructors are done. */
  found(emitter: object): void;
  /** Called before the first object of a class is complete. */
  firstOf?(prototype: object): void;
}

/** An app may make one for each request: the first are enough to distinguish its pools. */
const placedEmitters = 50;
const madeAt = new WeakMap<object, string>();

/** Where the app made an object of a known class; undefined where that is not known. */
export function placeMade(emitter: object): string | undefined {
  return madeAt.get(emitter);
}

type Init = (this: object, options: unknown) => void;

/**
 * Sees every event emitter that the app makes, pools among them, from whichever copy of a package or bundle its class comes: all are set up by
 * `EventEmitter.init`. Packages are not touched, so that it does not matter how they were loaded. Of a class that is not known, later
 * objects cost one look-up in a set.
 */
export function watchEmitters(classes: readonly KnownClass[]): void {
  const emitters = EventEmitter as unknown as { init: Init };
  const init = emitters.init;
  const nextTick = process.nextTick.bind(process);
  const strangers = new WeakSet<object>();
  const known = new WeakMap<object, KnownClass>();
  let placed = 0;

  function classify(prototype: object): KnownClass | null {
    const found = classes.find((one) => one.recognizes(prototype));
    if (found === undefined) {
      strangers.add(prototype);
      return null;
    }
    known.set(prototype, found);
    found.firstOf?.(prototype);
    return found;
  }

  function look(emitter: object): void {
    const prototype = Object.getPrototypeOf(emitter) as object | null;
    if (prototype === null || strangers.has(prototype)) return;
    const kind = known.get(prototype) ?? classify(prototype);
    if (kind === null) return;
    nextTick(complete, kind, emitter);
    if (placed >= placedEmitters) return;
    placed += 1;
    const place = placeNow(emitters.init);
    if (place !== null) madeAt.set(emitter, place);
  }

  emitters.init = function (this: object, options) {
    init.call(this, options);
    try {
      look(this);
    } catch {
      // An unreadable object is left to the app.
    }
  };
}

function complete(kind: KnownClass, emitter: object): void {
  try {
    kind.found(emitter);
  } catch {
    // As above.
  }
}
