import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { Sums } from '../corpus.ts';
import type { CorpusFile, Reference } from '../corpus.ts';
import { goPprof } from '../references/goPprof.ts';
import { speedscope } from '../references/speedscope.ts';
import { programsDir, pythonCommand, run } from '../tools.ts';

const work = path.join(programsDir, 'work.py');

function pySpy(form: string, name: string): CorpusFile['make'] {
  return async (folder) => {
    const file = path.join(folder, name);
    const python = await pythonCommand('python');
    await run(await pythonCommand('py-spy'), ['record', '--rate', '200', '--format', form, '--output', file, '--', python, work]);
    return file;
  };
}

/** What austin samples, as the text that it wrote before its own binary form. */
async function austin(folder: string): Promise<string> {
  const [mojo, file] = [path.join(folder, 'samples.mojo'), path.join(folder, 'samples.austin')];
  await run(await pythonCommand('austin'), ['-i', '2ms', '-o', mojo, await pythonCommand('python'), work]);
  await run(await pythonCommand('mojo2austin'), [mojo, file]);
  return file;
}

/** A session of pyinstrument in one of its forms; `session.json` is its own. */
async function pyinstrument(folder: string): Promise<string> {
  const session = path.join(folder, 'session.pyisession');
  const program = await pythonCommand('pyinstrument');
  await run(program, ['-r', 'session', '-o', session, work]);
  const as = (form: string): Promise<string> => run(program, ['--load', session, '-r', form, '--show-all']);
  writeFileSync(path.join(folder, 'session.json'), await as('json'));
  const file = path.join(folder, 'session.speedscope.json');
  writeFileSync(file, await as('speedscope'));
  return file;
}

interface TimedFrame {
  function: string;
  time: number;
  children: TimedFrame[];
}
const timedFrame: z.ZodType<TimedFrame> = z.lazy(() =>
  z.object({ function: z.string(), time: z.number(), children: z.array(timedFrame) }),
);

/** The same session as pyinstrument writes it as JSON: of each frame its time with that of its callees. */
const pyinstrumentJson: Reference = {
  by: 'pyinstrument’s own JSON',
  read: async (file) => {
    const { root_frame: root } = z
      .object({ root_frame: timedFrame })
      .parse(JSON.parse(await run('cat', [path.join(path.dirname(file), 'session.json')])));
    const sums = new Sums();
    const walk = (frame: TimedFrame): void => {
      sums.add(frame.function, 1e9 * (frame.time - frame.children.reduce((sum, { time }) => sum + time, 0)));
      for (const child of frame.children) walk(child);
    };
    walk(root);
    return sums;
  },
};

export const pythonFiles: readonly CorpusFile[] = [
  {
    id: 'py-spy-speedscope',
    format: 'speedscope',
    program: 'py-spy 0.4.3',
    event: 'cpu',
    make: pySpy('speedscope', 'py-spy.speedscope.json'),
    reference: speedscope(),
  },
  {
    id: 'py-spy-collapsed',
    format: 'Collapsed stacks',
    program: 'py-spy 0.4.3, raw',
    event: 'samples',
    make: pySpy('raw', 'py-spy.txt'),
    reference: speedscope(),
  },
  {
    id: 'py-spy-trace',
    format: 'performance trace (Chrome, Node)',
    program: 'py-spy 0.4.3, chrometrace',
    event: 'wall',
    make: pySpy('chrometrace', 'py-spy.trace.json'),
    reference: speedscope(),
  },
  {
    id: 'pyinstrument-speedscope',
    format: 'speedscope',
    program: 'pyinstrument 5.1.3',
    event: 'cpu',
    make: pyinstrument,
    reference: pyinstrumentJson,
  },
  {
    id: 'austin-collapsed',
    format: 'Collapsed stacks',
    program: 'austin 4.0.0, mojo2austin',
    event: 'samples',
    make: austin,
    reference: speedscope(),
  },
  {
    id: 'austin-pprof',
    format: 'pprof',
    program: 'austin-python 2.4.0, austin2pprof',
    event: 'time',
    make: async (folder) => {
      const file = path.join(folder, 'austin.pprof');
      await run(await pythonCommand('austin2pprof'), [await austin(folder), file]);
      return file;
    },
    reference: goPprof('time', 'ns'),
  },
  {
    id: 'austin-speedscope',
    format: 'speedscope',
    program: 'austin-python 2.4.0, austin2speedscope',
    event: 'cpu',
    make: async (folder) => {
      const file = path.join(folder, 'austin.speedscope.json');
      await run(await pythonCommand('austin2speedscope'), [await austin(folder), file]);
      return file;
    },
    reference: speedscope(),
  },
  {
    id: 'viztracer',
    format: 'performance trace (Chrome, Node)',
    program: 'VizTracer 1.1.1',
    event: 'wall',
    make: async (folder) => {
      const file = path.join(folder, 'viztracer.json');
      await run(await pythonCommand('viztracer'), ['--tracer_entries', '100000', '-o', file, work], { env: { SECONDS: '0.5' } });
      return file;
    },
    reference: speedscope(),
  },
];
