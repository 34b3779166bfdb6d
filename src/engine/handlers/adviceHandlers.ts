import { summaryOfAdvice } from '../../model/domain/adviceRecord.ts';
import type { AdviceStore } from '../advise/adviceStore.ts';
import { adviceReport } from '../report/adviceReport.ts';
import type { Handlers } from '../rpc/engineServer.ts';

/** The requests that are answered here. */
export const adviceRequests = ['advice/list', 'advice/get', 'advice/delete', 'advice/restore', 'advice/report'] as const;

/** What was found to help and is stored. Looking for it is a measurement (`measureHandler.ts`). */
export function adviceHandlers(store: AdviceStore): Pick<Handlers, (typeof adviceRequests)[number]> {
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
  };
}
