import { figure, percentPhrase, wholeNumber } from '../../domain/format.ts';
import type { MeasuredService } from '../../domain/prediction/measuredService.ts';
import { type Prediction, type Surroundings, type Tier, poolDelta } from '../../domain/prediction/predict.ts';
import { present } from '../present.ts';
import { plainTable, titledColumns } from '../table.ts';
import { type Part, list, note, quiet, section, tables, text } from './document.ts';

/** A prediction as a document; `run` is what it was made from. */
export function predictionDocument(prediction: Prediction, service: MeasuredService, run: { id: string; title: string }): Part[] {
  const { surroundings, uses, checkable } = prediction;
  const measured = service.loads.map(({ clients, throughput }) => `${wholeNumber(throughput.mean)} with ${clients}`).join(', ');
  return [
    { kind: 'heading', text: `In other surroundings: ${run.title}` },
    text(predictionHeadline(prediction)),
    ...poolSentence(prediction).map(text),
    ...section(
      'What is in use',
      tables(
        plainTable(
          titledColumns(['Tier', 'In use'], 1),
          uses.map(({ tier, share }) => [tierWords[tier], percentPhrase(100 * share)]),
        ),
      ),
    ),
    ...list(
      present(
        checkable
          ? note('this machine can measure it')
          : note(`not checked here: it takes more than the ${service.cores} cores of the machine that was measured on`, 'problem'),
        service.loads.length <= 1 &&
          note('one load was measured: a run with “--connections 1,32” tells what waits from what works, and narrows the interval'),
        service.roundTrips.high === 0 &&
          surroundings.rttMs !== service.rttMs &&
          note('no statement was counted: the distance to the database is taken to change nothing', 'problem'),
      ),
    ),
    quiet(
      `Made from the run ${run.id}: ${measured} clients, ${figure(service.roundTrips.high)} round trips to the database for each request.`,
    ),
  ];
}

/** "1,940 requests/s (1,800 to 2,100) with 32 clients, …: the connections of the pool are full." */
export function predictionHeadline({ throughput, surroundings, full, most }: Prediction): string {
  const { mean, low, high } = throughput;
  const why =
    full === null
      ? `nothing is full: the clients wait, and more of them could get up to ${wholeNumber(most)}`
      : `${tierWords[full]} ${full === 'machine' || full === 'pool' ? 'is' : 'are'} full`;
  return `${wholeNumber(mean)} requests/s (${wholeNumber(low)} to ${wholeNumber(high)}) with ${surroundingsPhrase(surroundings)}: ${why}.`;
}

export function surroundingsPhrase({ clients, rttMs, instances, pool, machineCores, appCores, databaseCores }: Surroundings): string {
  const cores = (count: number): string => `${count} ${count === 1 ? 'core' : 'cores'}`;
  return [
    `${clients} ${clients === 1 ? 'client' : 'clients'}`,
    ...(instances === 1 ? [] : [`${instances} instances`]),
    ...(pool === null ? [] : [`a pool of ${pool}`]),
    ...(appCores === null ? [] : [`${cores(appCores)} for ${instances === 1 ? 'the app' : 'each instance'}`]),
    ...(databaseCores === null ? [] : [`${cores(databaseCores)} for the database`]),
    ...(machineCores === null ? [] : [`${cores(machineCores)} for all together`]),
    `${rttMs} ms to the database`,
  ].join(', ');
}

function poolSentence({ poolEnough, surroundings }: Prediction): string[] {
  if (poolEnough === null) return [];
  const { low, high } = poolEnough;
  const { instances } = surroundings;
  const many = (pool: number): string => wholeNumber(pool * instances);
  const span = (of: (pool: number) => string): string => (low === high ? of(high) : `${of(low)} to ${of(high)}`);
  const each = instances === 1 ? '' : ` in each instance, ${span(many)} to the database over ${instances} of them,`;
  return [`A pool of ${span(wholeNumber)} connections${each} is within ${percentPhrase(100 * poolDelta)} of any larger one.`];
}

const tierWords: Readonly<Record<Tier, string>> = {
  app: 'the cores of the app',
  database: 'the cores of the database',
  machine: 'the machine that all share',
  threads: 'the threads of the app',
  pool: 'the pool',
};
