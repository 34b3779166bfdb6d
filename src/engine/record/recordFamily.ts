import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import type { RecordingNote } from '../../model/domain/recordingNoteKinds.ts';
import { isCancellation, toFailure } from '../../model/domain/failure.ts';
import type { RecordingFile } from '../../model/domain/recording.ts';
import { classPathOf } from './jvm/classPath.ts';
import { ProcessFamily } from './processFamily.ts';
import type { ActiveRecording, FinishedRecording, RecordedProcess, Recorder, RecordingOptions } from './recorder.ts';

interface Member {
  pid: number;
  title: string;
  active: ActiveRecording;
  outputDir: string;
}

/**
 * A recorder that records a process with all that belong to it and compute, each by `recorder`, and reads what the kernel counted meanwhile. A process that
 * cannot be recorded becomes a note, unless none can be. Of a process that is alone the files are those of `recorder`.
 */
export function ofFamily(recorder: Recorder): Recorder {
  return { ...recorder, start: (process, options) => FamilyRecording.begin(recorder, process, options) };
}

class FamilyRecording implements ActiveRecording {
  private constructor(
    private readonly family: ProcessFamily,
    private readonly members: readonly Member[],
    private readonly alone: boolean,
    private readonly isJvm: boolean,
    private readonly outputDir: string,
    private readonly notes: RecordingNote[],
  ) {}

  static async begin(recorder: Recorder, process: RecordedProcess, options: RecordingOptions): Promise<FamilyRecording> {
    const family = new ProcessFamily(process);
    const pids = await family.busiest(options.signal);
    const alone = pids.length === 1;
    const members: Member[] = [];
    const errors: unknown[] = [];
    const notes: RecordingNote[] = [];
    const begin = async (pid: number): Promise<void> => {
      const title = family.titleOf(pid) ?? `process ${pid}`;
      const outputDir = alone ? options.outputDir : path.join(options.outputDir, String(pid));
      try {
        await mkdir(outputDir, { recursive: true });
        const active = await recorder.start({ ...process, pid }, { ...options, outputDir });
        family.begin(pid);
        members.push({ pid, title, active, outputDir });
      } catch (error) {
        errors.push(error);
        notes.push(notRecorded(pid, title, error));
      }
    };
    // Inspectors that have to be opened share a port, one after the other; all others begin at once.
    const isWithin = (pid: number): boolean =>
      process.runtime !== 'node' || process.probes?.sessions.some(({ hello }) => hello.pid === pid) === true;
    for (const pid of pids.filter((one) => !isWithin(one))) await begin(pid);
    await Promise.all(pids.filter(isWithin).map(begin));
    const cancelled = errors.find(isCancellation);
    if (members.length === 0 || cancelled !== undefined) {
      await Promise.all(members.map(({ active }) => active.abandon()));
      throw cancelled ?? errors[0];
    }
    family.beginOthers();
    return new FamilyRecording(family, members, alone, recorder.runtime === 'jvm', options.outputDir, notes);
  }

  async stop(): Promise<FinishedRecording> {
    const cpu = this.family.cpu(new Set(this.members.map(({ pid }) => pid)));
    const classPath = this.isJvm ? [...new Set(this.members.flatMap(({ pid }) => classPathOf(pid)))] : [];
    const notes = [...this.notes];
    const errors: unknown[] = [];
    const finished: FinishedRecording[] = [];
    const lost = new Set<number>();
    await Promise.all(
      this.members.map(async (member) => {
        try {
          const one = await member.active.stop();
          finished.push({ ...one, files: await this.#taken(member, one.files) });
        } catch (error) {
          errors.push(error);
          lost.add(member.pid);
          notes.push(notRecorded(member.pid, member.title, error));
        }
      }),
    );
    const [first] = finished;
    if (first === undefined) throw errors[0];
    return {
      ...first,
      files: finished.flatMap(({ files }) => files),
      events: [...new Set(finished.flatMap(({ events }) => events))],
      cpu: cpu === null ? null : { ...cpu, processes: cpu.processes.map((one) => (lost.has(one.pid) ? { ...one, recorded: false } : one)) },
      ...(classPath.length === 0 ? {} : { classPath }),
      notes: [...new Map([...notes, ...finished.flatMap((one) => one.notes)].map((note) => [JSON.stringify(note), note])).values()],
    };
  }

  async abandon(): Promise<void> {
    await Promise.all(this.members.map(({ active }) => active.abandon()));
  }

  /** The files of one process, under names that no other one has. */
  #taken({ pid, outputDir }: Member, files: readonly RecordingFile[]): Promise<RecordingFile[]> {
    return Promise.all(
      files.map(async (file) => {
        if (this.alone) return file;
        const name = `${pid}-${file.name}`;
        await rename(path.join(outputDir, file.name), path.join(this.outputDir, name));
        return { ...file, name, process: pid };
      }),
    );
  }
}

function notRecorded(pid: number, title: string, error: unknown): RecordingNote {
  return { code: 'process-not-recorded', pid, title, message: toFailure(error).message };
}
