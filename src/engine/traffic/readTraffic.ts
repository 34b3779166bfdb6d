import { failure } from '../../model/domain/failure.ts';
import { readHead, UnreadFile } from '../files/boundedFile.ts';
import { ObservedTraffic } from './observed.ts';
import { type TrafficDraft, type TrafficWishes, trafficDraft } from './trafficDraft.ts';
import { trafficInput } from './trafficInput.ts';
import { trafficSources } from './trafficSources.ts';

const headBytes = 64 * 1024;

/** What the files of one kind of traffic say together. Fails with `traffic-unreadable`, `traffic-unknown` and `traffic-empty`. */
export function readTraffic(files: readonly string[], wishes: TrafficWishes): { source: string; draft: TrafficDraft } {
  const traffic = new ObservedTraffic();
  const names = new Set<string>();
  for (const [index, file] of files.entries()) {
    const source = sourceOf(file);
    names.add(source.name);
    const isApart = files.length > 1 && source.continues !== true;
    source.read(trafficInput(file), {
      add: (request) => traffic.add(isApart ? { ...request, session: `${index} ${request.session}` } : request),
      pass: () => (traffic.notUnderstood += 1),
    });
  }
  if (traffic.rows === 0)
    throw failure(
      'traffic-empty',
      `There is no request in ${files.join(', ')}.`,
      'Record again, with “Preserve log” on, or name another file.',
    );
  return { source: [...names].join(', '), draft: trafficDraft(traffic, wishes) };
}

function sourceOf(file: string): (typeof trafficSources)[number] {
  let head: string;
  try {
    head = readHead(file, headBytes)
      .toString('utf8')
      .replace(/^\ufeff/, '');
  } catch (error) {
    const why = error instanceof UnreadFile ? error.message : `cannot be read (${error instanceof Error ? error.message : String(error)})`;
    throw failure('traffic-unreadable', `${file} ${why}.`, 'Name the file that holds the traffic.');
  }
  const found = trafficSources.find(({ sniff }) => sniff(head));
  if (found !== undefined) return found;
  throw failure(
    'traffic-unknown',
    `${file} is in none of the forms that are read.`,
    `These are: ${trafficSources.map(({ name }) => name).join(', ')}.`,
  );
}
