// One busy loop during a measurement, until its standard input is closed (so that it never outlives whoever started it) or its time is over.
// Usage: node busyLoop.mjs half|bursts <which of the loops, from 0> <seed> <Unix time in ms at which it began> <seconds at most>
const [pattern, which, seed, beganMs, mostS] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const sliceMs = 25;

let state = seed >>> 0;
function fraction() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}

// All loops draw the same bursts from the same seed: 1 to 3 of them are busy for 1 to 5 s, and then none for as long.
let [burst, endsMs] = [{ fromMs: 0, untilMs: 0, loops: 0 }, 0];
function isBusy(ms) {
  while (ms >= endsMs) {
    const fromMs = endsMs;
    const untilMs = fromMs + 1000 * (1 + 4 * fraction());
    burst = { fromMs, untilMs, loops: 1 + Math.floor(3 * fraction()) };
    endsMs = untilMs + (untilMs - fromMs);
  }
  return ms < burst.untilMs && which < burst.loops;
}

function slice() {
  const nowMs = Date.now();
  if (nowMs - beganMs > 1000 * mostS) process.exit(0);
  const busy = pattern === 'half' || isBusy(nowMs - beganMs);
  while (busy && Date.now() - nowMs < sliceMs);
  // Standard input is looked at between slices.
  if (pattern === 'half' || !busy) setTimeout(slice, sliceMs);
  else setImmediate(slice);
}

process.stdin.resume();
process.stdin.once('close', () => process.exit(0));
process.stdin.once('error', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
slice();
