// A process that passes connections on to PostgreSQL, each byte half a round trip later. It reads nothing of what it passes on, so that TLS and log-ins go through.
import net from 'node:net';
import { isMainThread, workerData } from 'node:worker_threads';
import { DelayLine } from './delayLine.ts';
import { type DistancePlan, type DistanceUse, distancePlanSchema } from './distanceProtocol.ts';
import { sleepForever } from './sleeper.ts';

const program = process.argv[1] ?? '';

if (isMainThread) serve(distancePlanSchema.parse(JSON.parse(process.argv[2] ?? '')));
else sleepForever(workerData as Parameters<typeof sleepForever>[0]);

function serve({ host, port, rttMs }: DistancePlan): void {
  const line = rttMs > 0 ? new DelayLine(program) : null;
  const use = { open: 0, messages: 0, bytes: 0 };
  const after = (delayMs: number, act: () => void): void => (line === null ? act() : line.after(delayMs, act));

  const pass = (from: net.Socket, to: net.Socket): void => {
    from.on('data', (piece) => {
      use.messages += 1;
      use.bytes += piece.length;
      after(rttMs / 2, () => {
        if (to.write(piece) || to.destroyed) return;
        from.pause();
        to.once('drain', () => from.resume());
      });
    });
    from.on('end', () => after(rttMs / 2, () => to.end()));
    from.on('error', () => undefined);
    // What breaks off breaks the other end off, too.
    from.on('close', () => (from.readableEnded ? undefined : after(rttMs / 2, () => to.destroy())));
  };

  const server = net.createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
    use.open += 1;
    client.on('close', () => (use.open -= 1));
    client.on('error', () => undefined);
    // Who connects over such a distance waits for one round trip before it can send.
    after(rttMs, () => {
      if (client.destroyed) return;
      const upstream = net.connect({ host, port, allowHalfOpen: true, noDelay: true });
      pass(client, upstream);
      pass(upstream, client);
      client.resume();
    });
  });
  const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
  process.stdout.on('error', () => undefined);
  server.listen(0, '127.0.0.1', () => say({ listening: (server.address() as net.AddressInfo).port }));
  process.stdin.on('data', () => {
    const { user, system } = process.cpuUsage();
    say({ use: { ...use, cpuUs: user + system, lateUs: line?.late() ?? null } satisfies DistanceUse });
  });
  // Its owner has ended.
  process.stdin.on('end', () => process.exit());
}
