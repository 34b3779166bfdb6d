'use strict';
// A service with one thing planted, by KIND: what leaks, and what only looks like it.
const { EventEmitter } = require('node:events');
const http = require('node:http');

const kept = new Map();
const changed = new EventEmitter();
changed.setMaxListeners(0);
const handlers = [];
const buffers = [];
const numbers = [];
const recent = new Map();
const idle = [];
const byRoute = new Map();
let timers = [];
let number = 0;

const kinds = {
  none: () => undefined,
  'list-100': () => numbers.push([number + 0.5, 1.5, 2.5, 3.5, 4.5, 5.5]),
  'map-200': () => kept.set(number, 'x'.repeat(20) + number),
  'map-1000': () => kept.set(`session-${number}`, { at: Date.now(), body: Array.from({ length: 100 }, (_, at) => at + 0.5) }),
  listeners: (request) => changed.on('changed', () => request.headers.host),
  closure: (request) => handlers.push(() => request.url),
  buffers: () => buffers.push(Buffer.alloc(256)),
  'every-50th': () => number % 50 === 0 && kept.set(number, Buffer.alloc(8_192)),
  // None of these is a leak.
  'lru-500': () => {
    recent.set(number, { body: 'y'.repeat(200) + number });
    if (recent.size > 500) recent.delete(recent.keys().next().value);
  },
  'lru-8000': () => {
    recent.set(number, { body: 'y'.repeat(200) + number });
    if (recent.size > 8_000) recent.delete(recent.keys().next().value);
  },
  pool: () => {
    if (idle.length < 64 && number % 40 === 0) idle.push(Buffer.alloc(65_536));
  },
  'by-route': (request) => byRoute.set(request.url, (byRoute.get(request.url) ?? 0) + 1),
  timers: () => {
    const timer = setTimeout(() => (timers = timers.filter((one) => one !== timer)), 50);
    if (timers.length < 2_000) timers.push(timer);
  },
};

const act = kinds[process.env.KIND ?? 'none'];
http
  .createServer((request, response) => {
    number += 1;
    act(request);
    response.end(String(number));
  })
  .listen(process.env.PORT, '127.0.0.1');
