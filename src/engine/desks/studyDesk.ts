import type { ListedStudy, StudyFile } from '../../model/study.ts';
import { tierOfStudy } from '../../model/answerTier.ts';
import { failure } from '../../model/failure.ts';
import type { Handlers, Notify } from '../rpc/engineServer.ts';
import type { RunContext } from '../run/runContext.ts';
import type { RunStore } from '../runs/runStore.ts';
import { findStudies, readStudies } from '../run/study/studyFiles.ts';
import { missingNeeds } from '../run/study/studyNeeds.ts';
import { runStudy } from '../run/study/studyRun.ts';
import { studySeconds } from '../strategies/study/studyTime.ts';
import type { Toolchain } from '../targets/toolchain.ts';

/** What the desk needs of the engine. */
export interface StudyDeskOptions {
  assetsDir: string;
  workspaceDir: string | null;
  store: RunStore;
  toolchain: () => Toolchain;
  notify: Notify;
  /** Reserves the machine, so that nothing else is measured meanwhile. */
  exclusive: <T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  context: (targets: readonly string[], signal: AbortSignal) => Promise<RunContext>;
}

/** The requests that the desk answers. */
export const studyRequests = ['studies/list', 'study/start'] as const;
type StudyRequests = (typeof studyRequests)[number];

/** The published experiments: which there are, what they need, and their repetition. */
export class StudyDesk {
  constructor(private readonly options: StudyDeskOptions) {}

  handlers(): Pick<Handlers, StudyRequests> {
    const { options } = this;
    return {
      'studies/list': () => this.#list(),
      'study/start': async (request, signal) => {
        try {
          // Reserved before anything is read: a cancellation that comes meanwhile finds what it is to break off.
          return await options.exclusive(signal, async (own) => {
            const study = await this.#asked(request.id);
            const runnable = study.arms.filter((arm) => missingNeeds(arm.needs, options.toolchain()).length === 0);
            return runStudy(request, study, await options.context([...new Set(runnable.map(({ target }) => target))], own));
          });
        } finally {
          options.notify('runs/changed', {});
          options.notify('catalog/changed', {});
        }
      },
    };
  }

  async #asked(id: string): Promise<StudyFile> {
    const { assetsDir, workspaceDir, toolchain } = this.options;
    const [study] = findStudies((await readStudies(assetsDir, workspaceDir)).studies, id);
    if (study === undefined) throw failure('study-unknown', `There is no published experiment “${id}”.`, 'Choose one of the list.');
    const [missing] = missingNeeds(study.needs, toolchain());
    if (missing !== undefined) throw failure('study-needs', `${study.id} cannot be run here. ${missing.message}`, missing.cure);
    return study;
  }

  async #list(): ReturnType<Handlers['studies/list']> {
    const { studies, problems } = await readStudies(this.options.assetsDir, this.options.workspaceDir);
    const last = await this.#lastRuns();
    return {
      problems,
      studies: studies.map((study): ListedStudy => ({
        id: study.id,
        title: study.title,
        asks: study.asks,
        source: study.source,
        needs: study.needs,
        then: study.then ?? null,
        missing: missingNeeds(study.needs, this.options.toolchain()),
        shortS: studySeconds(study, study.short),
        fullS: studySeconds(study, study.full),
        lastRunId: last.get(study.id)?.id ?? null,
        lastAgrees: last.get(study.id)?.agrees ?? null,
      })),
    };
  }

  /** The newest run of each; whether it agreed is in the record itself, and of what was only seen it is not said. */
  async #lastRuns(): Promise<Map<string, { id: string; agrees: boolean | null }>> {
    const newest = new Map<string, { id: string; agrees: boolean | null }>();
    for (const summary of await this.options.store.list()) {
      if (summary.kind !== 'run' || summary.studyId === null || newest.has(summary.studyId)) continue;
      const record = await this.options.store.read(summary.id).catch(() => null);
      if (record?.result.kind !== 'study') newest.set(summary.studyId, { id: summary.id, agrees: null });
      else {
        const { result, delta } = record;
        newest.set(summary.studyId, { id: summary.id, agrees: tierOfStudy(result, delta) === 'seen' ? null : result.agrees });
      }
    }
    return newest;
  }
}
