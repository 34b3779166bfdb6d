/**
 * Script for the recorded process, an expression that gives an object: it undoes what a recording left there when no sign of life has come for
 * `lostMs`, or after `maxMs` at the latest, and closes the inspector if it was opened for the recording. Such an inspector is moved from the usual
 * port to a free one at once, so that the next process finds the usual one free; the next session gets the guard by its symbol.
 * Plain JavaScript in a string, since a compiled function would call helpers that are not there.
 */
export const guardSource = String.raw`(function (options) {
  'use strict';
  const inspector = require('inspector');
  const { setInterval, clearInterval, setTimeout } = require('timers');
  const stepMs = 500;
  let silentSteps = 0;
  let steps = 0;
  const undo = [];
  let ended = false;
  // Steps are counted and not time: while the event loop is blocked, no sign of life can come through either.
  const timer = setInterval(() => {
    steps += 1;
    silentSteps += 1;
    if (silentSteps * stepMs >= options.lostMs || steps * stepMs >= options.maxMs) end();
  }, stepMs);
  timer.unref();
  // An exception in a timer would end the app.
  function closeInspector() {
    try { inspector.close(); } catch { /* it is closed already */ }
  }
  function moveInspector() {
    closeInspector();
    try { inspector.open(0, '127.0.0.1'); } catch { /* it is found where it is, or not at all */ }
  }
  function end() {
    if (ended) return;
    ended = true;
    clearInterval(timer);
    for (const step of undo) {
      try { step(); } catch { /* the next one must still run */ }
    }
    // Not at once: it waits for the very session that called this.
    if (options.opened) setTimeout(closeInspector, 20);
  }
  const guard = {
    beat() { silentSteps = 0; },
    onEnd(step) { undo.push(step); },
    end,
  };
  if (options.opened) {
    Object.defineProperty(globalThis, Symbol.for('benchside.guard'), { value: guard, configurable: true });
    setTimeout(moveInspector, 5);
  }
  return guard;
})`;

/** Gives the guard to the session that comes after the move. */
export const takeGuardSource = `(() => {
  const key = Symbol.for('benchside.guard');
  const guard = globalThis[key];
  delete globalThis[key];
  return guard;
})()`;
