import { failure } from '../../../model/domain/failure.ts';
import type { Recorder } from '../recorder.ts';
import { AttachedNode } from './attachNode.ts';
import { V8Recording } from './v8Recording.ts';

const oldestMajor = 20;
/** Time beyond the recording's own in which its result is fetched. */
const fetchMs = 120_000;

/** Records a running Node process through V8's inspector: CPU time with lines, the heap, and waits for the pool of `pg` and the database. */
export function v8Recorder(): Recorder {
  return {
    id: 'v8',
    label: 'V8 inspector',
    description:
      'Attaches to a running Node process: CPU time by function and line, what is kept on the heap, and by which stack the pool of pg and the database were waited for. A target of yours is recorded from within; another process opens its inspector on 127.0.0.1 for that time.',
    runtime: 'node',
    abilities: { attach: true, relaunch: false, lines: true, heap: true, waits: true },
    events: ['cpu', 'poolWait', 'database', 'heap'],
    defaultEvents: ['cpu', 'poolWait', 'database', 'heap'],
    problem: () =>
      process.platform === 'linux'
        ? null
        : failure(
            'recorder-platform',
            'A running Node process can only be attached to on Linux so far.',
            'Record with clinic, which starts the process itself, or open a .cpuprofile that was made with node --cpu-prof.',
          ).failure,
    async start(process, options) {
      options.signal.throwIfAborted();
      const node = await AttachedNode.ofProcess(process, options.maxMs + fetchMs, options.signal);
      const { version } = node.about;
      if (Number(/^v(\d+)/.exec(version)?.[1] ?? 0) < oldestMajor) {
        await node.detach();
        throw failure(
          'recorder-version',
          `Process ${process.pid} runs Node ${version}, which is too old to be recorded.`,
          `Run it with Node ${oldestMajor} or newer.`,
        );
      }
      return V8Recording.begin(node, options);
    },
  };
}
