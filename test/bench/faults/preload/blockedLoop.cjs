// Loaded into the engine: at SIGUSR2 its event loop is busy at 100 % of a processor, as in a text that takes minutes to read. It goes on after a minute.
process.on('SIGUSR2', () => {
  for (const until = performance.now() + 60_000; performance.now() < until;);
});
