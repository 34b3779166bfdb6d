import * as z from 'zod';
import { agentTools } from '../../src/model/agent/agentTools.ts';
import type { AgentTool } from '../../src/model/agent/agentTools.ts';

const icons: Readonly<Record<string, string>> = {
  list_targets: '$(list-unordered)',
  check_machine: '$(checklist)',
  start_run: '$(play)',
  start_tuning: '$(settings)',
  compare_code: '$(git-compare)',
  get_run: '$(graph)',
  cancel_run: '$(debug-stop)',
  compare_runs: '$(split-horizontal)',
  explain_run: '$(lightbulb)',
  get_hot_frames: '$(flame)',
  get_slow_sql: '$(database)',
};

/** What the manifest says of the tools, as it follows from their declaration. */
export function manifestTools(): object[] {
  return Object.entries(agentTools as Record<string, AgentTool>).map(([name, { title, description, input }]) => {
    const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
    return {
      name: `benchside_${name}`,
      toolReferenceName: `benchside${name.replace(/(?:^|_)(\w)/g, (_all, first: string) => first.toUpperCase())}`,
      displayName: `Benchside: ${title}`,
      modelDescription: description,
      userDescription: `${description.split('. ')[0] ?? ''}.`.replace(/\.\.$/, '.'),
      canBeReferencedInPrompt: true,
      icon: icons[name],
      tags: ['benchside', 'performance'],
      inputSchema,
    };
  });
}
