import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { failure } from '../../../model/domain/failure.ts';
import type { RecordingRequest } from '../../../model/domain/recording.ts';
import { plainReach } from '../../load/connection.ts';
import type { LoadGenerator } from '../../load/loadGenerator.ts';
import type { BlockResult } from '../../load/loadPlans.ts';
import type { ClinicRun } from '../../record/clinic/clinicRun.ts';
import { clinicHintFile } from '../../record/clinic/doctorHint.ts';
import { runClinic } from '../../record/clinic/runClinic.ts';
import { recordingRecord, targetSubject } from '../../record/recordingRecord.ts';
import { recordingLoad } from '../../record/underLoad.ts';
import { freePort } from '../../services/freePort.ts';
import { pause } from '../../supervise/pause.ts';
import { makeTemporaryFolder } from '../../supervise/temporaryFolder.ts';
import { targetCommand } from '../../targets/launchTarget.ts';
import { untilReady } from '../../targets/readiness.ts';
import { startGenerator } from '../runContext.ts';
import { type RecordingContext, type RecordingResult, type TargetSubject, loadOn, prepareTarget, recordingTitle } from './recordPlan.ts';

/**
 * Records a Node target with one of clinic's tools. The tool starts the app itself, under its own control, so that there is no warm-up before
 * the recording: the first moments of the app are in it.
 */
export async function recordWithClinic(
  tool: ClinicRun['tool'],
  subject: TargetSubject,
  request: RecordingRequest,
  context: RecordingContext,
): Promise<RecordingResult> {
  const prepared = await prepareTarget(subject, context);
  const { declared, planned } = prepared;
  if (declared.target.runtime !== 'node') {
    throw failure('recorder-runtime', 'Clinic’s tools record Node targets only.', 'Choose a Node target, or another recorder.');
  }
  const port = declared.target.port.fixed ?? (await freePort());
  const command = targetCommand(declared, planned.process.settings, port, { ...context, database: prepared.address });
  const outputDir = makeTemporaryFolder('recording');
  let generator: LoadGenerator | null = null;
  try {
    if (subject.load !== null) generator = await startGenerator(context);
    context.progress({ code: 'starting-under-clinic', name: planned.name }, 0.15);
    let startedAt = new Date();
    let measured: BlockResult | null = null;
    let reach = plainReach;
    const windowMs = request.seconds * 1000;
    const { recording, pid } = await runClinic({
      tool,
      command,
      outputDir,
      seconds: request.seconds,
      supervisor: context.supervisor,
      assetsDir: context.assetsDir,
      storageDir: context.storageDir,
      nodePath: context.toolchain.node,
      signal: context.signal,
      untilReady: async (_listening, signal) => {
        reach = await untilReady(declared, port, signal);
      },
      load: async (signal) => {
        startedAt = new Date();
        context.progress({ code: 'recording', name: planned.name, seconds: request.seconds }, 0.4);
        if (generator === null) await pause(windowMs, signal);
        else measured = await generator.runBlock(loadOn({ port, reach }, prepared, windowMs), { signal });
        context.progress({ code: 'reading-clinic' }, 0.8);
      },
    });
    const doctor = tool === 'clinic-doctor' ? [{ name: clinicHintFile, format: 'clinic' as const }] : [];
    const files = await Promise.all(
      [...recording.files, ...doctor].map(async ({ name, format }) => ({
        name,
        format,
        bytes: await readFile(path.join(outputDir, name)),
      })),
    );
    return recordingRecord(
      { ...recording, files, startedAt, durationMs: windowMs, load: recordingLoad(measured, planned.connections, null) },
      targetSubject(planned.process, { title: recordingTitle(subject, prepared), pid, trialKey: null, argv: command.argv }),
      { id: tool },
      { prefix: '', cost: null, notes: [] },
    );
  } finally {
    await generator?.stop();
    await rm(outputDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
