// Loaded into the engine: at SIGUSR2 its event loop stands still at 100 % of a processor, as in a text that takes minutes to read. It goes on by itself after a minute.
process.on('SIGUSR2', () => {
  for (const until = performance.now() + 60_000; performance.now() < until;);
});
