import { afterEach, describe, expect, it } from 'vitest';
import { toFailure } from '../../../src/model/failure.ts';
import type { Failure } from '../../../src/model/failure.ts';
import { routeSchema } from '../../../src/model/target.ts';
import { resolveRequestMix } from '../../../src/engine/load/requestMix.ts';
import { BoundedLog } from '../../../src/engine/supervise/boundedLog.ts';
import { askRoutes } from '../../../src/engine/targets/askRoutes.ts';
import type { RunningTarget } from '../../../src/engine/targets/launchTarget.ts';
import { declared } from '../../support/declaredTarget.ts';
import { startUserApp } from '../../support/userApp.ts';
import type { AppHandler, UserApp } from '../../support/userApp.ts';

const apps: UserApp[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop();
});

/** Asks an app for all of these routes; gives what it saw and the failure, if there is one. */
async function asked(
  routes: Record<string, unknown>[],
  handler: AppHandler,
  { log = new BoundedLog(), stopped = false } = {},
): Promise<{ seen: string[]; failure: Failure | null }> {
  const app = await startUserApp(handler);
  if (stopped) await app.stop();
  else apps.push(app);
  const target = declared('app', { routes: routes.map((route) => routeSchema.parse(route)) });
  const { asks } = resolveRequestMix({ targetId: 'app', routes: target.target.routes });
  const running = { declared: target, port: app.port, child: { log } as RunningTarget['child'] };
  const failure = await askRoutes(running, asks, { name: 'App' }).then(
    () => null,
    (error: unknown) => toFailure(error),
  );
  return { seen: app.seen.map(({ method, path }) => `${method} ${path}`), failure };
}

describe('a route that is asked before it is measured', () => {
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
});
