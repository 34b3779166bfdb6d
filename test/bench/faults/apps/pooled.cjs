// A service on a pool of PostgreSQL connections that can be resized while it runs. It has a grandchild in a session of its own, as services
// with helpers do, and a temporary folder that it never removes, and misbehaves as MISBEHAVE says when it is sent SIGUSR2: "block" is blocked for 2 s, "line" prints 100 MB without an end.
const { createServer } = require('node:http');
const { spawn } = require('node:child_process');
const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

spawn('sleep', ['300'], { detached: true, stdio: 'ignore' }).unref();

// As Tomcat has one, which stays where it is killed.
mkdtempSync(path.join(tmpdir(), process.env.LEAVES));

let pool = null;
if (process.env.DATABASE_URL !== undefined) {
  const { Pool } = require('pg');
  pool = new Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL ?? 4), connectionTimeoutMillis: 20_000 });
  pool.on('error', () => undefined);
}

// It waits more than it works: what is measured here is not how fast it is.
const answerMs = 15;

const server = createServer((request, response) => {
  const done = (status) => {
    response.statusCode = status;
    response.end('{}');
  };
  if (pool === null || request.url === '/') setTimeout(done, answerMs, 200);
  else
    pool.query('SELECT pg_sleep($1)', [answerMs / 1000]).then(
      () => done(200),
      () => done(500),
    );
});
server.listen(Number(process.env.PORT), process.env.HOST ?? '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));

process.on('SIGUSR2', () => {
  if (process.env.MISBEHAVE === 'block') {
    const until = performance.now() + 2000;
    while (performance.now() < until);
  }
  if (process.env.MISBEHAVE === 'line') {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    let left = 100;
    const write = () => {
      while (left > 0) {
        left -= 1;
        if (!process.stdout.write(piece)) return process.stdout.once('drain', write);
      }
    };
    write();
  }
});
