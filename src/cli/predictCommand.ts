import { predictionDocument, predictionHeadline } from '../model/presentation/documents/predictionDocument.ts';
import { measuredService } from '../model/domain/prediction/measuredService.ts';
import { measuredSurroundings, predict } from '../model/domain/prediction/predict.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { resolveRun } from './resolveRun.ts';
import type { Given } from './command.ts';
import type { PredictAsked } from './predictOptions.ts';
import type { Terminal } from './terminal.ts';
import { textOf } from './textDocument.ts';

/** `benchside predict`: what a measured service is to give elsewhere. It measures nothing. */
export async function predictElsewhere(command: Given<PredictAsked>, engine: EngineClient, { print, json }: Terminal): Promise<number> {
  const { run } = await engine.request('runs/get', { id: await resolveRun(engine, command.run) });
  const service = measuredService(run, command.trial);
  const { rttMs, instances, pool, clients, appCores, databaseCores } = command;
  const here = measuredSurroundings(service);
  const elsewhere = appCores !== undefined || databaseCores !== undefined;
  const prediction = predict(service, {
    clients: clients ?? here.clients,
    rttMs: rttMs ?? here.rttMs,
    instances: instances ?? here.instances,
    pool: pool ?? here.pool,
    machineCores: elsewhere ? null : here.machineCores,
    appCores: elsewhere ? (appCores ?? service.cores) : here.appCores,
    clientMs: null,
    databaseCores: elsewhere ? (databaseCores ?? service.cores) : null,
  });
  if (command.json) json({ prediction: { ...prediction, sentence: predictionHeadline(prediction) }, measured: service });
  else print(textOf(predictionDocument(prediction, service, run)));
  return 0;
}
