import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { diagnosisKindSchema } from '../../../src/model/domain/diagnosisKind.ts';
import { type Condition, conditions } from './condition.ts';
import type { Verdict } from './matrix.ts';
import type { Planting } from './plantings.ts';

const whichSchema = z.object({ target: z.enum(['node', 'java']), planted: diagnosisKindSchema, name: z.string() });
const verdictSchema = whichSchema.extend({
  repeat: z.number().int().min(1),
  kind: diagnosisKindSchema.nullable(),
  confident: z.boolean(),
  condition: z.enum(conditions),
  told: z.boolean().optional(),
  headline: z.string().nullable(),
  tookS: z.number(),
});
const fileSchema = z.object({ verdicts: z.array(verdictSchema), doctor: z.array(whichSchema.extend({ category: z.string().nullable() })) });

export type MeasuredVerdict = Verdict & { repeat: number; headline: string | null; tookS: number };

/** What has been measured so far, in a file where one is named: a long measurement can be done in pieces. */
export class Measured {
  readonly verdicts: MeasuredVerdict[] = [];
  /** Null: it cannot be asked of this one. */
  readonly doctor = new Map<Planting, string | null>();

  constructor(
    private readonly file: string | null,
    plantings: readonly Planting[],
  ) {
    if (file === null || !existsSync(file)) return;
    const known = fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    // One that is not planted any more, or as another kind, says nothing of those that are.
    const find = ({ target, planted, name }: z.infer<typeof whichSchema>): Planting | undefined =>
      plantings.find((one) => one.target === target && one.kind === planted && one.name === name);
    for (const { target, planted, name, ...verdict } of known.verdicts) {
      const planting = find({ target, planted, name });
      if (planting !== undefined) this.verdicts.push({ planting, ...verdict });
    }
    for (const { category, ...which } of known.doctor) {
      const planting = find(which);
      if (planting !== undefined) this.doctor.set(planting, category);
    }
  }

  has(planting: Planting, repeat: number, condition: Condition): boolean {
    return this.verdicts.some((one) => one.planting === planting && one.repeat === repeat && one.condition === condition);
  }

  add(verdict: MeasuredVerdict): void {
    this.verdicts.push(verdict);
    this.#write();
  }

  addDoctor(planting: Planting, category: string | null): void {
    this.doctor.set(planting, category);
    this.#write();
  }

  /** Whole or not at all. */
  #write(): void {
    if (this.file === null) return;
    const which = ({ target, kind, name }: Planting): z.infer<typeof whichSchema> => ({ target, planted: kind, name });
    const content: z.infer<typeof fileSchema> = {
      verdicts: this.verdicts.map(({ planting, ...verdict }) => ({ ...which(planting), ...verdict })),
      doctor: [...this.doctor].map(([planting, category]) => ({ ...which(planting), category })),
    };
    writeFileSync(`${this.file}.part`, `${JSON.stringify(content, null, 1)}\n`);
    renameSync(`${this.file}.part`, this.file);
  }
}
