import { type Question, failure, FailureError } from '../model/domain/failure.ts';
import { onOneLine } from '../model/domain/plainText.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';

/** What was agreed to on the command line, by the subjects of the questions, and how a person is asked about the rest; null: no terminal. */
export interface Agreement {
  hosts: readonly string[];
  sql: readonly string[];
  ask: (question: string) => Promise<boolean | null>;
}

/** The engine; a request that was refused for a missing consent is sent again after the consent. A host is remembered; SQL that the command line allows is not. */
export function agreeingEngine(engine: EngineClient, { hosts, sql, ask }: Agreement): EngineClient {
  const agrees = async ({ kind, subject, ...question }: Question): Promise<{ remember: boolean } | 'no' | 'nobody'> => {
    if (kind === 'host' && hosts.some((host) => host.toLowerCase() === subject.toLowerCase())) return { remember: true };
    if (kind === 'sql' && sql.includes(subject)) return { remember: false };
    const answer = await ask([question.ask, question.detail, `${question.yes}?`].map((line) => onOneLine(line)).join('\n'));
    if (answer === null) return 'nobody';
    return answer ? { remember: true } : 'no';
  };
  return {
    ...engine,
    async request(name, params, signal) {
      for (;;) {
        try {
          return await engine.request(name, params, signal);
        } catch (error) {
          const question = error instanceof FailureError ? error.failure.question : undefined;
          if (question === undefined) throw error;
          const answer = await agrees(question);
          if (answer === 'nobody') throw error;
          if (answer === 'no') throw failure('cancelled', 'Nothing was done: it was not agreed to.');
          await engine.request('consent/give', { id: question.id, ...answer });
        }
      }
    },
  };
}
