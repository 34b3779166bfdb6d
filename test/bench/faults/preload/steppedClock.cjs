// Loaded into the engine: the time of day jumps by CLOCK_STEP_MS at each SIGUSR2, as when a machine's clock is set. Monotonic clocks go on as they do.
const now = Date.now;
let offset = 0;
process.on('SIGUSR2', () => (offset += Number(process.env.CLOCK_STEP_MS ?? 0)));
Date.now = () => now() + offset;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [now() + offset] : given, as),
  apply: () => new Date(now() + offset).toString(),
});
