import { summaryOfAdvice } from '../../model/domain/adviceRecord.ts';
import type { AdviceStore } from '../advise/adviceStore.ts';
import { adviceReport } from '../report/renderReport.ts';
import type { Handlers } from '../rpc/engineServer.ts';

/** What was found to help and is stored. Looking for it is a measurement (`measureHandler.ts`). */
export function adviceHandlers(store: AdviceStore) {
  return {
    'advice/list': async () => ({ advice: (await store.list()).map(summaryOfAdvice) }),
    'advice/get': async ({ id }) => ({ record: await store.read(id) }),
    'advice/delete': async ({ id }) => {
      await store.remove(id);
      return {};
    },
    'advice/restore': async ({ id }) => {
      await store.restore(id);
      return {};
    },
    'advice/report': async ({ id, format }) => adviceReport(await store.read(id), format),
  } satisfies Partial<Handlers>;
}
