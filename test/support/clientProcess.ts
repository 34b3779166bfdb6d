// A process that is an engine's client, to be killed: starts an engine and with it PostgreSQL, an app that will not end, and load.
import { type EngineOptions, startEngine } from '../../src/engine/rpc/engineClient.ts';

async function main(): Promise<void> {
  const options = JSON.parse(process.argv[2] ?? '') as EngineOptions;
  const engine = await startEngine(options);
  await engine.request('target/start', { id: 'stubborn' });
  engine.on('run/event', (event) => {
    if (event.type !== 'tick') return;
    void engine.request('catalog/get', {}).then((catalog) => {
      const ports = [...catalog.targets, ...catalog.services].flatMap(({ port }) => (port === null ? [] : [port]));
      process.stdout.write(`${JSON.stringify({ enginePid: engine.pid, ports })}\n`);
    });
  });
  await engine.request('measure/start', { request: { kind: 'run', targets: ['app'], load: 'brief', durationS: 60 } });
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
