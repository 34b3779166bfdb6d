import * as vscode from 'vscode';
import type { FromPanel } from '../../model/protocol/panel.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import { applySettings } from '../applied/applySettings.ts';
import { inform, warn } from '../kit/safeUi/messages.ts';
import type { Services } from '../services/services.ts';
import { adviceLines, adviceSql } from './adviceText.ts';
import { writeVariables } from './writeVariables.ts';

/** Applies values of an advice, writes its variables, opens its SQL or copies it. Only what was measured and helps, or is the same for less, is taken, and no SQL is run. */
export async function haveAdvice(services: Services, { id, changes: ids, how }: Extract<FromPanel, { type: 'haveAdvice' }>): Promise<void> {
  const { record } = await services.engine.request('advice/get', { id });
  const { isAdvised } = await import('../../model/domain/advice.ts');
  const { target, tried } = record.advice;
  const changes = tried.filter((one) => ids.includes(one.id) && isAdvised(one));
  if (changes.length === 0) {
    void warn('This advice has no such change that helps or costs less. Open it again.');
    return;
  }
  switch (how) {
    case 'apply': {
      const values = Object.assign({}, ...changes.map(({ settings }) => settings)) as SettingValues;
      return applySettings(services, target, values);
    }
    case 'sql': {
      const document = await vscode.workspace.openTextDocument({ language: 'sql', content: adviceSql(changes) });
      await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside });
      return;
    }
    case 'file': {
      const variables = changes.flatMap(({ apply }) => apply.flatMap(({ variable }) => variable ?? []));
      return writeVariables({ id: target, label: record.advice.targetLabel }, variables);
    }
    case 'copy':
      await vscode.env.clipboard.writeText(adviceLines(changes));
      void inform('Copied.');
  }
}
