import cluster from 'node:cluster';
import { log } from './log.mjs';
import { listeningText } from './serve.mjs';

/** Answers with several processes behind one port, each of which serves with a pool of its own; one that dies is replaced. */
export async function shareAmongWorkers(configuration, serve) {
  if (cluster.isWorker) await serve();
  else lead(configuration);
}

function lead(configuration) {
  const listening = new Set();
  let announced = false;
  let stopping = false;

  cluster.on('listening', (worker, { port }) => {
    listening.add(worker.id);
    log.info(`worker ${worker.process.pid} listens`);
    if (announced || listening.size < configuration.workers) return;
    announced = true;
    log.info(`${listeningText(configuration, port)} with ${configuration.workers} workers`);
  });
  cluster.on('exit', (worker, code, signal) => {
    const began = listening.delete(worker.id);
    if (stopping) {
      if (Object.keys(cluster.workers).length > 0) return;
      log.info('stopped');
      process.exit(0);
    }
    // One that never listened has said why, and another would fare no better.
    if (!began) leave('SIGKILL', code || 1);
    log.error(`worker ${worker.process.pid} has ended (${signal ?? `code ${code}`}); another one is started`);
    cluster.fork();
  });
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      stopping = true;
      for (const worker of Object.values(cluster.workers)) worker.process.kill('SIGTERM');
    });
  }
  for (let i = 0; i < configuration.workers; i += 1) cluster.fork();

  function leave(signal, code) {
    for (const worker of Object.values(cluster.workers)) worker.process.kill(signal);
    process.exit(code);
  }
}
