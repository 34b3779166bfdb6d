import { brotliCompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { noteTexts } from '../../../src/model/presentation/runNotes.ts';
import { type Failure, toFailure } from '../../../src/model/domain/failure.ts';
import { routeHeadline, routeSubline } from '../../../src/model/domain/routeCheck.ts';
import { routeSchema } from '../../../src/model/domain/target.ts';
import { routeCheckText } from '../../../src/cli/routeCheckText.ts';
import { plainReach } from '../../../src/engine/load/connection.ts';
import { resolveRequestMix } from '../../../src/engine/load/requestMix.ts';
import { BoundedLog } from '../../../src/engine/supervise/boundedLog.ts';
import type { HeardAnswer } from '../../../src/engine/answers/heardAnswers.ts';
import { askRoutes, hearAnswers } from '../../../src/engine/targets/askRoutes.ts';
import type { RunningTarget } from '../../../src/engine/targets/launchTarget.ts';
import { declared } from '../../support/declaredTarget.ts';
import { type AppHandler, type UserApp, startUserApp } from '../../support/userApp.ts';
import { waitFor } from '../../support/waitFor.ts';

const apps: UserApp[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop();
});

/** Asks an app for all of these routes; gives what it saw and the failure, if there is one. */
async function asked(
  routes: Record<string, unknown>[],
  handler: AppHandler,
  { log = new BoundedLog(), stopped = false } = {},
): Promise<{ seen: string[]; failure: Failure | null; hints: string[]; heard: HeardAnswer[]; hear: () => Promise<HeardAnswer[]> }> {
  const app = await startUserApp(handler);
  if (stopped) await app.stop();
  else apps.push(app);
  const target = declared('app', { routes: routes.map((route) => routeSchema.parse(route)) });
  const { asks } = resolveRequestMix({ targetId: 'app', routes: target.target.routes });
  const running = { declared: target, port: app.port, reach: plainReach, child: { log } as RunningTarget['child'] };
  let hints: string[] = [];
  let heard: HeardAnswer[] = [];
  const failure = await askRoutes(running, asks, { name: 'App' }).then(
    (told) => {
      hints = noteTexts(told.hints);
      heard = told.heard;
      return null;
    },
    (error: unknown) => toFailure(error),
  );
  const seen = app.seen.map(({ method, path }) => `${method} ${path}`);
  return { seen, failure, hints, heard, hear: () => hearAnswers(running, asks) };
}

describe('a route that is asked before it is measured', () => {
  it('that fails since PostgreSQL refused a login says whose, and what to declare', async () => {
    const log = new BoundedLog();
    const { failure } = await asked(
      [{ path: '/' }],
      (_request, response) => {
        log.append('error: database "conduit" does not exist\n    at Client.connect (client.js:1)\n');
        response.writeHead(500).end();
      },
      { log },
    );
    expect(failure?.cure).toMatch(/^PostgreSQL has no database “conduit” for it\. .*"database": "conduit"/);
  });

  it('is asked once, and only where that changes nothing and is not meant to fail', async () => {
    const routes = [
      { path: '/a' },
      { method: 'POST', path: '/b' },
      { path: '/c', askFirst: false },
      { path: '/d', weight: 0 },
      { path: '/e' },
    ];
    const { seen, failure } = await asked(routes, (_request, response) => response.end('ok'));
    expect({ seen, failure }).toEqual({ seen: ['GET /a', 'GET /e'], failure: null });
  });

  it('is asked once though it changes something where nothing else is measured, and its answers are not compared', async () => {
    const routes = [
      { method: 'POST', path: '/a', body: '{}' },
      { method: 'POST', path: '/b', askFirst: false },
    ];
    const good = await asked(routes, (_request, response) => response.end('ok'));
    expect(good).toMatchObject({ seen: ['POST /a'], failure: null, heard: [] });
    expect(await good.hear()).toEqual([]);
    const refused = async (route: object, status: number) =>
      asked([{ method: 'POST', path: '/a', ...route }], (_request, response) => void response.writeHead(status).end('no'));
    expect((await refused({}, 400)).failure).toMatchObject({
      code: 'route-fails',
      cure: expect.stringMatching(/^Give the route the "body"/),
    });
    expect((await refused({ body: '{}' }, 401)).failure?.cure).toMatch(/^Sign in as a client does.*"authorization"/);
  });

  it('of GraphQL is asked as it is sent, where it changes nothing, and fails with errors inside of 200', async () => {
    const query = { method: 'POST', path: '/graphql', body: '{"query":"{ item(id: :id) { name } }"}', parameters: { id: { max: 9 } } };
    const variables = { ...query, path: '/v', body: '{"query":"query($id: Int) { item(id: $id) { name } }","variables":{"id": :id}}' };
    const others = [
      { method: 'POST', path: '/m', body: '{"query":"mutation { remove(id: 1) { id } }"}' },
      { method: 'POST', path: '/search', body: '{"query":"red shoes"}' },
      { method: 'POST', path: '/text', body: 'query { item }' },
    ];
    const bodies: string[] = [];
    const answering =
      (answer: object): AppHandler =>
      (request, response) => {
        bodies.push(request.body);
        response.end(JSON.stringify(answer));
      };
    const good = await asked([query, variables, ...others], answering({ data: { item: null } }));
    expect(good).toMatchObject({ seen: ['POST /graphql', 'POST /v'], failure: null });
    expect(bodies).toEqual([
      expect.stringMatching(/^{"query":"{ item\(id: [1-9]\) /),
      expect.stringMatching(/"variables":{"id": [1-9]}}$/),
    ]);
    const bad = await asked([{ path: '/' }, query], answering({ errors: [{ message: 'Cannot query field "itemz"' }], data: null }));
    expect(bad.failure).toMatchObject({
      code: 'route-fails',
      message: expect.stringContaining('was answered with 200 and GraphQL errors'),
    });
    expect(bad.failure?.routes && routeHeadline(bad.failure.routes)).toBe('POST /graphql answers 200 with errors inside');
    expect(bad.failure?.routes?.routes.map(({ problem }) => problem)).toEqual([null, 'was answered with 200 and GraphQL errors']);
  });

  it('is left after 1 MB of an answer, which may go on for ever, and such a one is not called broken', async () => {
    let sentBytes = 0;
    let closed = false;
    const part = Buffer.from(`[${'1,'.repeat(8_000)}`);
    const { failure, hints } = await asked([{ path: '/endless' }], (_request, response) => {
      response.setHeader('content-type', 'application/json');
      const more = (): void => {
        while (!closed && response.write(part)) sentBytes += part.length;
      };
      response.on('drain', more).on('close', () => (closed = true));
      more();
    });
    expect({ failure, hints }).toEqual({ failure: null, hints: [] });
    // What buffers of the system take is sent, too.
    expect(sentBytes).toBeLessThan(64_000_000);
  });

  it('fails with its status, the beginning of the answer, the app’s last line and a cure', async () => {
    const log = new BoundedLog();
    const { failure } = await asked(
      [{ path: '/a' }],
      (_request, response) => {
        log.append('starting\nTypeError: pool is not a function\n');
        response.statusCode = 500;
        response.end('Internal\n  error');
      },
      { log },
    );
    expect(failure).toMatchObject({
      code: 'route-fails',
      message:
        'App: GET /a was answered with 500: Internal error. The last line that the app printed is “TypeError: pool is not a function”.',
      cure: 'Look at the app’s log and mend it, or ask for another route.',
    });
    expect(failure?.detail).toContain('starting');
  });

  it('fails with what the other routes answered, its own first lines without what may be secret, and the app’s log', async () => {
    const log = new BoundedLog();
    const { failure } = await asked(
      [{ path: '/good' }, { path: '/orders' }, { path: '/also' }],
      (request, response) => {
        log.append('column does not exist\n');
        response.statusCode = request.path === '/orders' ? 500 : 200;
        response.setHeader('set-cookie', 'session=abc');
        response.setHeader('content-type', 'application/json');
        response.end('{\n"a": 1\n}');
      },
      { log },
    );
    expect(failure?.routes).toMatchObject({
      target: 'app',
      failing: 'GET /orders',
      asked: '/orders',
      log: expect.stringContaining('column does not exist') as string,
      routes: [
        { route: 'GET /good', status: 200, problem: null },
        { route: 'GET /orders', status: 500, problem: 'was answered with 500' },
        { route: 'GET /also', status: 200, problem: null },
      ],
    });
    expect(failure?.routes?.answer).toMatch(/^HTTP 500\ncontent-type: application\/json\n(content-length: 10\n)?\n\{\n"a": 1\n\}$/);
    expect(failure?.routes && routeHeadline(failure.routes)).toBe('GET /orders answers 500');
    expect(failure?.routes && routeSubline(failure.routes)).toContain('The other 2 routes answer.');
    const text = failure?.routes === undefined ? '' : routeCheckText(failure.routes);
    expect(text).toContain('--leave-out "GET /orders"');
    expect(text).toContain('--even-failing');
  });

  it('is told in a hint where what it answers may not be meant', async () => {
    const answers: Record<string, (response: Parameters<AppHandler>[1]) => void> = {
      '/moved': (response) => response.writeHead(302, { location: '/login?next=/moved' }).end(),
      '/empty': (response) => response.end(),
      '/login': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<form><input type="password" name="p"></form>'),
      '/broken': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
      '/gone': (response) => response.writeHead(204).end(),
      '/same': (response) => response.writeHead(304).end(),
      '/good': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
      '/coded': (response) =>
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'br' }).end(brotliCompressSync('{}')),
    };
    const { failure, hints } = await asked(
      Object.keys(answers).map((path) => ({ path })),
      (request, response) => answers[request.path ?? '']?.(response),
    );
    expect(failure).toBeNull();
    expect(hints).toEqual([
      'App: GET /moved is redirected to /login?next=/moved (302), which looks like a login: the redirect is what would be measured.',
      'App: GET /empty answers with nothing (200, 0 bytes).',
      'App: GET /login answers with a page to log in.',
      'App: GET /broken says that its answer is JSON, which it is not.',
      'App: GET /same answers that nothing has changed (304), without a body: that check is what would be measured.',
    ]);
  });

  it('is told in a hint where it answers HTML and all the others JSON', async () => {
    const { hints } = await asked([{ path: '/a' }, { path: '/b' }], (request, response) =>
      response.writeHead(200, { 'content-type': request.path === '/a' ? 'application/json' : 'text/html' }).end('{}'),
    );
    expect(hints).toEqual(['App: GET /b answers with HTML where the other routes answer with JSON.']);
  });

  it('is neither asked nor measured where it is left out, and none is asked where failing ones are measured, too', () => {
    const routes = ['/a', '/b'].map((path) => routeSchema.parse({ path }));
    const without = resolveRequestMix({ targetId: 'app', routes, leaveOut: ['GET /a'] });
    expect([without.mix, without.asks].map((all) => all.map(({ path }) => path))).toEqual([['/b'], ['/b']]);
    expect(resolveRequestMix({ targetId: 'app', routes, askRoutes: false })).toMatchObject({
      asks: [],
      mix: [{ path: '/a' }, { path: '/b' }],
    });
    expect(() => resolveRequestMix({ targetId: 'app', routes, leaveOut: ['GET /a', 'GET /b'] })).toThrow(/left out/);
  });

  it('that is not there names those that are declared', async () => {
    const { failure } = await asked([{ path: '/nowhere' }, { path: '/ads' }], (_request, response) => {
      response.statusCode = 404;
      response.end();
    });
    expect(failure?.message).toBe('App: GET /nowhere was answered with 404.');
    expect(failure?.cure).toContain('declared are GET /nowhere, GET /ads');
  });

  it('with parameters is good when one of several draws is', async () => {
    let answers = 0;
    const route = { path: '/ads/:id', parameters: { id: { min: 1, max: 1_000_000 } } };
    const { seen, failure } = await asked([route], (_request, response) => {
      answers += 1;
      response.statusCode = answers < 3 ? 404 : 200;
      response.end();
    });
    expect(failure).toBeNull();
    expect(new Set(seen).size).toBe(3);
  });

  it('that nobody listens on any more fails, too', async () => {
    const { failure } = await asked([{ path: '/a' }], (_request, response) => response.end(), { stopped: true });
    expect(failure).toMatchObject({ code: 'route-fails', message: expect.stringContaining('was refused') as string });
  });

  it('whose app cuts it off fails', async () => {
    const { failure } = await asked([{ path: '/a' }], (_request, response) => response.destroy());
    expect(failure).toMatchObject({ code: 'route-fails', message: expect.stringContaining('got no answer') as string });
  });

  it.each([
    ['server-sent events', 'text/event-stream; charset=utf-8', 'is answered with a stream (text/event-stream) that does not end'],
    ['parts of another kind', 'application/octet-stream', 'is answered with a stream: it came in'],
  ])('that never ends its answer is told as a stream: %s', { timeout: 20_000 }, async (_of, type, words) => {
    let closed = false;
    const { failure } = await asked([{ path: '/events' }, { path: '/good' }], (request, response) => {
      response.setHeader('content-type', request.path === '/good' ? 'text/plain' : type);
      if (request.path === '/good') return response.end('ok');
      const timer = setInterval(() => response.write('data: 1\n\n'), 50);
      response.on('close', () => {
        clearInterval(timer);
        closed = true;
      });
    });
    expect(failure).toMatchObject({ code: 'route-fails', message: expect.stringContaining(`GET /events ${words}`) as string });
    expect(failure?.cure).toContain('measure another route');
    expect(failure?.routes && routeHeadline(failure.routes)).toBe('GET /events answers with a stream that does not end');
    await waitFor(() => closed, { what: 'the end of its connection' });
  });

  it('that streams and ends is none', async () => {
    const { failure } = await asked([{ path: '/events' }], (_request, response) => {
      response.setHeader('content-type', 'text/event-stream');
      response.write('data: 1\n\n');
      setImmediate(() => response.end('data: 2\n\n'));
    });
    expect(failure).toBeNull();
  });

  it('that is a WebSocket is told as one, by its answer and by its own headers', async () => {
    const upgrade = { path: '/ws', headers: { Upgrade: 'websocket', Connection: 'Upgrade' } };
    const own = await asked([upgrade], (_request, response) => response.end());
    expect(own).toMatchObject({ seen: [], failure: { code: 'route-fails', message: expect.stringContaining('(Upgrade)') as string } });
    const answered = await asked([{ path: '/live' }], (_request, response) => response.writeHead(426, { upgrade: 'websocket' }).end());
    expect(answered.failure?.message).toContain('GET /live is a WebSocket: it was answered with 426');
    expect(answered.failure?.routes && routeHeadline(answered.failure.routes)).toBe('GET /live is a WebSocket');
  });

  it('that a rate limit answers is told so, with when it may be asked again', async () => {
    const { failure } = await asked([{ path: '/a' }], (_request, response) => response.writeHead(429, { 'retry-after': '7' }).end());
    expect(failure?.message).toContain('GET /a was answered with 429: a rate limit (Retry-After: 7)');
    expect(failure?.cure).toContain('Switch the rate limit off');
  });

  it('is held against what is expected of it: its status and its body', async () => {
    const expecting = (expect: object): Promise<{ failure: Failure | null }> =>
      asked([{ path: '/a', expect }], (_request, response) => response.end('{"data":{"items":[]},"errors":[],"partial":true}'));
    for (const good of [{ status: [200, 304] }, { body: { json: '$.data.items' } }, { body: { json: '$.data', not: '$.errors' } }])
      expect((await expecting(good)).failure).toBeNull();
    for (const [wrong, words] of [
      [{ status: [201, 202] }, 'was answered with 200 instead of 201 or 202'],
      [{ body: { json: '$.data.items[0]' } }, 'was answered with 200, and its body has no $.data.items[0]'],
      [{ body: { not: '$.partial' } }, 'was answered with 200, and its body has $.partial'],
    ] as const)
      expect((await expecting(wrong)).failure?.message).toContain(`GET /a ${words}`);
    const missing = await asked([{ path: '/a', expect: { status: [404] } }], (_request, response) => response.writeHead(404).end());
    expect(missing.failure).toBeNull();
  });

  it('leaves what it answered, and hears the same of the same request later, and of further draws', async () => {
    const route = { path: '/ads/:id', parameters: { id: { max: 1000 } }, expect: { ignore: ['$.version'] } };
    const { heard, hear } = await asked([route, { path: '/b' }], (request, response) => response.end(`${request.path} x`));
    expect(heard).toMatchObject([
      { route: 'GET /ads/:id', path: expect.stringMatching(/^\/ads\/\d+$/) as string, status: 200, cut: false, ignored: ['$.version'] },
      { route: 'GET /b', bytes: Buffer.from('/b x') },
    ]);
    const again = await hear();
    expect(again.slice(0, 2).map(({ path, bytes }) => ({ path, bytes }))).toEqual(heard.map(({ path, bytes }) => ({ path, bytes })));
    expect(again.slice(2).map((one) => one.route)).toEqual(Array.from({ length: 19 }, () => 'GET /ads/:id'));
  });
});
