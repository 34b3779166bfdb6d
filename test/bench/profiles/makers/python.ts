import path from 'node:path';
import type { CorpusFile } from '../corpus.ts';
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
    make: async (folder) => {
      const file = path.join(folder, 'session.speedscope.json');
      await run(await pythonCommand('pyinstrument'), ['-r', 'speedscope', '-o', file, work]);
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
