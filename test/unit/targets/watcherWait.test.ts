import { describe, expect, it } from 'vitest';
import { BoundedLog } from '../../../src/engine/supervise/boundedLog.ts';
import { WatcherWait } from '../../../src/engine/targets/watcherWait.ts';

/** When an app of which this was printed counts as ended, in seconds; null: never within a minute. `computesUntil`: as long as a compiler works. */
function overAfter(printed: string, { computesUntil = 0, more = '' } = {}): number | null {
  const log = new BoundedLog();
  log.append(printed);
  let at = 0;
  const wait = new WatcherWait(log, {
    get isComputing() {
      return at < computesUntil;
    },
    spentMs: () => at * 1_000,
  });
  for (; at < 60; at += 1) {
    if (at === 2 && more !== '') log.append(more);
    if (wait.isOver()) return at;
  }
  return null;
}

describe('an app below a watcher', () => {
  it.each([
    '[nodemon] app crashed - waiting for file changes before starting...\n',
    "Failed running 'server.js'. Waiting for file changes before restarting...\n",
    "Failed running 'server.js'\n",
    '[0] [nodemon] clean exit - waiting for changes before restart\n',
  ])('has ended where its watcher says that it waits: %s', (said) => {
    expect(overAfter(`Error: no database\n${said}`)).toBe(4);
  });

  it('may be started once more as long as something next to it computes', () => {
    expect(overAfter('[nodemon] app crashed - waiting for file changes\n', { computesUntil: 20 })).toBe(23);
  });

  it('has not ended where it was started again, or its compiler only watches', () => {
    const again = '[nodemon] restarting due to changes...\n[nodemon] starting `node a.js`\nconnecting\n';
    expect(overAfter('[nodemon] app crashed - waiting for file changes\n', { more: again })).toBeNull();
    expect(overAfter('Found 0 errors. Watching for file changes.\n')).toBeNull();
  });
});
