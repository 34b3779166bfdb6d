import type { ListedStudy } from '../../model/study.ts';
import { tierOfStudy } from '../../model/answerTier.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import type { RunStore } from '../runs/runStore.ts';
import { readStudies } from '../run/study/studyFiles.ts';
import { missingRequirements } from '../run/study/requirements.ts';
import { studySeconds } from '../strategies/study/studyTime.ts';
import type { Toolchain } from '../targets/toolchain.ts';

/** What the handler needs of the engine. */
export interface StudyHandlerOptions {
  assetsDir: string;
  workspaceDir: string | null;
  store: RunStore;
  toolchain: () => Toolchain;
}

/** The requests that the handler answers. */
export const studyRequests = ['studies/list'] as const;
type StudyRequests = (typeof studyRequests)[number];

/** The published experiments: which there are, what they need, and what was found of them last. */
export class StudyHandler {
  constructor(private readonly options: StudyHandlerOptions) {}

  handlers(): Pick<Handlers, StudyRequests> {
    return { 'studies/list': () => this.#list() };
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
        missing: missingRequirements(study.needs, this.options.toolchain()),
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
