import * as z from 'zod';
import { agentTools, type AgentTool, type AgentToolName } from '../../../model/agents/agentTools.ts';
import { toolIcons, toolNames, toolPrefix } from '../ids.ts';

/** The tools for language models, as they follow from what the model declares. */
export const languageModelTools = toolNames.map((name) => {
  const { title, description, input }: AgentTool = agentTools[name];
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
  return {
    name: `${toolPrefix}${name}`,
    toolReferenceName: referenceName(name),
    displayName: `Benchside: ${title}`,
    modelDescription: description,
    userDescription: `${description.split('. ')[0] ?? ''}.`.replace(/\.\.$/, '.'),
    canBeReferencedInPrompt: true,
    icon: toolIcons[name],
    tags: ['benchside', 'performance'],
    inputSchema,
  };
});

/** What a person writes after a `#`: `benchsideStartRun` for `start_run`. */
function referenceName(name: AgentToolName): string {
  return `benchside${name.replace(/(?:^|_)(\w)/g, (_all, first: string) => first.toUpperCase())}`;
}
