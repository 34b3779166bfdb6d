import { durationText } from '../domain/durationText.ts';
import { k6Choices } from '../domain/generator.ts';
import type { Form } from '../protocol/panel.ts';
import type { RunRequest } from '../domain/run.ts';
import { allFlags } from '../domain/runFlags.ts';
import { fieldsOfTune, optionFields } from './runOptionText.ts';
import { sloPhrase } from '../domain/sloText.ts';
import { type TuneRequest, tunedTopology } from '../domain/tuning.ts';
import { emptyForm } from './emptyForm.ts';

export function formOfRun(request: RunRequest): Form {
  return {
    ...emptyForm,
    ...sharedPart(request),
    connections: (request.connections ?? []).join(', '),
    ...optionFields(request),
    ...topologyPart(request.topology),
  };
}

/** What a form has of both. */
function sharedPart(request: RunRequest | TuneRequest): Partial<Form> {
  return {
    targets: request.targets,
    values: Object.fromEntries(Object.entries(request.settings).map(([name, values]) => [name, values.join(', ')])),
    load: request.load,
    route: request.route ?? '',
    ...allFlags(request),
    record: request.record !== undefined,
    ...rawPart(request.raw),
    k6: k6Part(request.generator),
  };
}

function rawPart(raw: RunRequest['raw']): Pick<Form, 'raw' | 'rawShare'> {
  if (raw === undefined) return { raw: false, rawShare: '1' };
  // A share that the form does not offer comes from a terminal: the next larger one keeps at least as much.
  return { raw: true, rawShare: raw.share > 0.1 ? '1' : raw.share > 0.01 ? '0.1' : '0.01' };
}

/** Another number of processes comes from a terminal: the next larger one that the form offers. The operator’s cluster is named in a terminal only. */
function k6Part(generator: RunRequest['generator']): Form['k6'] {
  if (generator?.kind !== 'k6') return '';
  return k6Choices.find((choice) => Number(choice) >= generator.processes) ?? '8';
}

function topologyPart(topology: RunRequest['topology']): Partial<Form> {
  if (topology === undefined) return {};
  const { proxy, cpuShare, totalConnections, bouncer } = topology;
  return {
    bouncer: bouncer?.mode ?? 'none',
    proxy: proxy?.balance ?? 'none',
    upstreamKeepAlive: proxy?.upstreamKeepAlive ?? true,
    staticFiles: proxy?.staticFiles ?? false,
    cpuShare: text(cpuShare ?? undefined),
    totalConnections: text(totalConnections),
  };
}

export function formOfTune(request: TuneRequest): Form {
  return {
    ...emptyForm,
    ...sharedPart(request),
    connections: text(request.connections),
    ...fieldsOfTune(request),
    budget: durationText(request.budgetS),
    slo: request.slo === undefined ? '' : sloPhrase(request.slo),
    ...topologyPart(tunedTopology(request)),
  };
}

function text(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}
