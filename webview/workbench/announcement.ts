import { refusalText } from '../../src/model/domain/liveRefusal.ts';
import { liveEndText } from '../../src/model/domain/progress/liveEndKinds.ts';
import { stepText } from '../../src/model/domain/progress/stepKinds.ts';
import { adviceStagePhrase } from '../../src/model/domain/adviceRecord.ts';
import { answerHeadline } from '../../src/model/domain/answerFacts.ts';
import { adviceHeadline } from '../../src/model/presentation/documents/adviceDocument.ts';
import type { ToPanel } from '../../src/model/protocol/panel.ts';
import { experimentSentence } from '../../src/model/presentation/experimentTables.ts';
import { experimentSummary } from '../../src/model/presentation/shapeWords.ts';
import type { PanelState } from './panelState.ts';
import { type RunSoFar, isRunning } from '../progress/runSoFar.ts';

function stageOf(progress: RunSoFar | null): string | null {
  const doing = progress?.found?.doing ?? progress?.phase?.doing;
  return doing === undefined ? null : stepText(doing);
}

/** The announcement to screen readers of a message that has changed the panel; `null` where there is nothing new. */
export function announcement(before: PanelState, state: PanelState, message: ToPanel): string | null {
  switch (message.type) {
    case 'run': {
      const { result, recommendations, delta } = message.run;
      if (result.kind === 'experiment') return `${experimentSentence(result, delta)}. ${experimentSummary(result)}`;
      const headlines =
        result.kind === 'tune'
          ? result.answers.map((answer) => `${answer.targetLabel}: ${answerHeadline(answer)}`)
          : recommendations.map(answerHeadline);
      return headlines.join('. ') || 'The run has been loaded.';
    }
    case 'advice':
      return message.record === null ? null : adviceHeadline(message.record.advice);
    case 'adviceProgress':
      return message.progress === null ? null : adviceStagePhrase(message.progress);
    case 'runEvents': {
      const { progress } = state;
      if (state.advice.progress !== null) return null;
      if (!isRunning(progress)) return null;
      const said = stageOf(progress);
      return said === stageOf(before.progress) ? null : said;
    }
    case 'liveEvents': {
      const last = message.events.filter((event) => event.type !== 'sample' && event.type !== 'segment').at(-1);
      if (message.replay || !last) return null;
      if (last.type === 'starting') return stepText(last.doing);
      if (last.type === 'running') return `${last.targetLabel} is under load.`;
      if (last.type === 'ended') return liveEndText(last.reason);
      const { setting, to, ok, message: refusal } = last.change;
      const label = state.session?.controls.find((control) => control.setting === setting)?.label ?? setting;
      if (refusal !== null) return refusalText(refusal);
      return ok ? `${label} is ${to}.` : `${label} could not be set to ${to}.`;
    }
    case 'applied':
      return `Applied: ${Object.entries(message.values)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')}.`;
    case 'failure':
      return `${message.failure.message} ${message.failure.cure}`;
    default:
      return null;
  }
}
