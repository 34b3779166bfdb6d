// Loaded into the engine: at SIGUSR2 its event loop stands still, as in a text that takes minutes to read, but takes nothing from what runs beside it. It goes on by itself
// after a minute.
process.on('SIGUSR2', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000));
