import { z } from 'zod';
import { loadProfileSchema } from '../src/model/domain/loadProfile.ts';
import { runRecordSchema } from '../src/model/domain/run.ts';
import { experimentFileSchema } from '../src/model/domain/experiment.ts';
import { workspaceFileSchema } from '../src/model/domain/target.ts';
import { savedRequestSchema } from '../src/model/domain/tuning.ts';

/** The JSON Schemas by file name in `schemas/`; they describe what a person writes, so members with a default may be left out. */
export function schemaFiles(): Record<string, object> {
  return {
    'benchside.schema.json': jsonSchema(
      workspaceFileSchema,
      'Benchside workspace file',
      'Targets, services and load profiles of this workspace, for benchside.json at its root.',
    ),
    'experiment.schema.json': jsonSchema(
      savedRequestSchema,
      'Benchside experiment',
      'Which value of which settings, under which load: a file in profiles/experiments that anybody can run again.',
    ),
    'load-profile.schema.json': jsonSchema(loadProfileSchema, 'Benchside load profile', 'How load is put on a target.'),
    'published-experiment.schema.json': jsonSchema(
      experimentFileSchema,
      'Benchside published experiment',
      'A published experiment that can be repeated, with its figures and the rules by which shapes are compared.',
    ),
    'run.schema.json': jsonSchema(runRecordSchema, 'Benchside run record', 'The run.json of a run in .benchside/runs.'),
  };
}

function jsonSchema(schema: z.ZodType, title: string, description: string): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
  return { $schema, title, description, ...rest };
}
