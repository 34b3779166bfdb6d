import type Inspector from 'node:inspector';
import { connect } from 'node:net';
import type { EngineAddress } from './launchedAs.ts';

/** Loaded when it is needed and not with the app; also where the app has a loader of its own. */
export function loadInspector(): typeof Inspector | null {
  try {
    const load = (process as Partial<typeof process>).getBuiltinModule ?? (typeof require === 'function' ? require : null);
    return load === null ? null : (load('node:inspector') as typeof Inspector);
  } catch {
    // This Node was built without it.
    return null;
  }
}

/**
 * Opens an inspector session within this process and hands it to the engine over a second connection to its socket, one message a line: nothing
 * listens on a port, so that no other program can join. The session, with all that it has started, ends with the connection.
 *
 * @param done called once: null when the engine has the session, else why not.
 */
export function bridgeInspector(address: EngineAddress, token: string, done: (problem: string | null) => void): void {
  const inspector = loadInspector();
  if (inspector === null) {
    done('This Node has no inspector that can be used from within.');
    return;
  }
  const session = new inspector.Session();
  const socket = connect({ ...address.connect });
  let told = false;
  const tell = (problem: string | null): void => {
    if (!told) done(problem);
    told = true;
  };
  const say = (message: object): void => {
    if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
  };
  const executeStrategy = (line: string): void => {
    const { id, method, params } = JSON.parse(line) as { id: number; method: string; params?: object };
    session.post(method, params, (error: (Error & { code?: unknown }) | null, result?: object) => {
      say(error === null ? { id, result } : { id, error: { message: error.message } });
    });
  };
  socket.unref();
  socket.setEncoding('utf8');
  socket.on('error', () => undefined);
  socket.on('close', () => {
    tell('The connection to the engine could not be opened.');
    try {
      session.disconnect();
    } catch {
      // It never was connected.
    }
  });
  socket.on('connect', () => {
    try {
      session.connect();
      session.on('inspectorNotification', say);
      say({ type: 'inspector', token });
      tell(null);
    } catch (error) {
      tell(error instanceof Error ? error.message.slice(0, 300) : 'The session could not be opened.');
      socket.destroy();
    }
  });
  let rest = '';
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    try {
      for (const line of lines) executeStrategy(line);
    } catch {
      // Such a message is not from our engine.
      socket.destroy();
    }
  });
}
