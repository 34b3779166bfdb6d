import { describe, expect, it } from 'vitest';
import { parsedCommand } from '../../support/parsedCommand.ts';
import { repeatCommand } from '../../../src/model/presentation/repeatCommand.ts';
import { effectiveLoad } from '../../../src/engine/run/plan.ts';
import { runDifferences } from '../../../src/engine/runs/runDifferences.ts';
import { formOfRun, formOfTune } from '../../../src/model/presentation/requestForms.ts';
import { type RunRecord, type RunRequest, runRecordSchema, runRequestSchema } from '../../../src/model/domain/run.ts';
import { eachRunFlag } from '../../../src/model/domain/runFlags.ts';
import { type RunOption, eachRunOption, formOptions, tuneOptions } from '../../../src/model/domain/runOptions.ts';
import { optionOfRun, optionsOfTune, runOptionText } from '../../../src/model/presentation/runOptionText.ts';
import { tuneRequestSchema } from '../../../src/model/domain/tuning.ts';
import { checkForm } from '../../../webview/form/formCheck.ts';
import { optionFields } from '../../../webview/form/optionFields.ts';
import { exampleCatalog, exampleForm, exampleRun } from '../webview/examples.ts';

/** A value that is nobody’s default. */
function valueOf({ kind, min, max }: RunOption): number {
  return kind === 'percent' ? 0.125 : Math.min(max, Math.ceil(min) + 6);
}

const plainForm = { ...exampleForm, connections: '', durationS: '', rounds: '' };
const steady = exampleRun.load;

/** The record of a run that was asked for so. */
function recordOf(asked: Partial<RunRequest>): RunRecord {
  const request = runRequestSchema.parse({ targets: exampleRun.request.targets, ...asked });
  return runRecordSchema.parse({ ...exampleRun, request, load: effectiveLoad(steady, request) });
}

function requestOf(command: string): Record<string, unknown> {
  const parsed = parsedCommand(command.split(' ').slice(1));
  if (parsed.name !== 'run' && parsed.name !== 'tune') throw new Error(`“${command}” does ${parsed.name}`);
  return parsed['request'] as Record<string, unknown>;
}

describe.each(eachRunOption)('the option %s of a run', (name, option) => {
  const value = valueOf(option);
  const text = runOptionText(option, value);

  it('is asked for in a terminal, and by the command that repeats the run', () => {
    expect(requestOf(`benchside run -t node ${option.cli.option} ${text}`)).toHaveProperty(name, value);
    expect(requestOf(repeatCommand(recordOf({ [name]: value })))).toHaveProperty(name, value);
  });

  it('is refused where it is more or less than there may be, in a terminal as in a request', () => {
    for (const wrong of [option.min - 1, option.max * 2]) {
      expect(() => requestOf(`benchside run -t node ${option.cli.option}=${runOptionText(option, wrong)}`)).toThrow();
      expect(runRequestSchema.safeParse({ targets: ['node'], [name]: wrong }).success).toBe(false);
    }
  });

  it('goes over what the load profile says, and into the record', () => {
    expect(optionOfRun(recordOf({ [name]: value }), name)).toBe(value);
  });

  it('is told where two runs differ in it', () => {
    const differing = runDifferences(recordOf({ [name]: value }), recordOf({}), new Set());
    expect(differing).toContainEqual(
      expect.objectContaining({ what: option.told.name, a: option.told.words(value), severity: option.told.severity }),
    );
  });
});

describe.each(formOptions)('the field of the option %s', (name, option) => {
  const value = valueOf(option);
  const form = { ...plainForm, [name]: runOptionText(option, value) };

  it('asks for it, and is filled again by the run', () => {
    const { start, problems } = checkForm(form, exampleCatalog, true);
    expect(problems).toEqual({});
    expect(start).toMatchObject({ request: { kind: 'run', [name]: value } });
    if (start?.request.kind !== 'run') throw new Error('it does not run');
    expect(formOfRun(start.request)).toHaveProperty(name, form[name]);
  });

  it('says what is wrong by its name', () => {
    expect(checkForm({ ...form, [name]: 'x' }, exampleCatalog, true).problems[name]).toMatch(
      new RegExp(`^${option.form.label.replace(/[()]/g, '.')}: `),
    );
  });

  it('is told in the summary of what is set', () => {
    const told = optionFields(form, steady, false).find((field) => field.name === name);
    expect(told?.summary).toContain(option.told.words(value));
  });

  it('counts in a search where a search knows it, and is left alone where not', () => {
    const { start, problems } = checkForm({ ...form, budget: '2 min', values: { pool: '2, 4, 8' } }, exampleCatalog, true);
    expect(problems).toEqual({});
    if (start?.request.kind !== 'tune') throw new Error('it does not search');
    expect(optionsOfTune(start.request)[name]).toBe(option.tune === undefined ? undefined : value);
    expect(optionFields(form, steady, true).find((field) => field.name === name)?.disabled).toBe(option.tune === undefined);
  });
});

describe.each(tuneOptions)('the option %s of a tuning', (name, option) => {
  const value = valueOf(option);
  const text = runOptionText(option, value);

  it('is asked for in a terminal, by the command that repeats it and by the form that is filled with it', () => {
    const command = `benchside tune -t java -s pool=2,4 ${option.cli.option} ${text}`;
    const request = tuneRequestSchema.parse(requestOf(command));
    expect(optionsOfTune(request)[name]).toBe(value);
    const result = {
      kind: 'tune' as const,
      request,
      spentS: 1,
      stage: { code: 'ended' as const, decided: true, rounds: 1 },
      probeCost: null,
      answers: [],
    };
    expect(optionsOfTune(requestOf(repeatCommand({ ...exampleRun, result })))[name]).toBe(value);
    if (option.form !== null) expect(formOfTune(request)).toHaveProperty(name, text);
  });
});

describe.each(eachRunFlag)('the flag %s', (name, flag) => {
  const search = { budget: '2 min', values: { pool: '2, 4, 8' } };

  it('is asked for in a terminal, and by the command that repeats it', () => {
    expect(requestOf(`benchside run -t node ${flag.cli.option}`)).toHaveProperty(name, true);
    expect(requestOf('benchside run -t node')).not.toHaveProperty(name);
    expect(requestOf(repeatCommand(recordOf({ [name]: true })))).toHaveProperty(name, true);
    const request = tuneRequestSchema.parse(requestOf(`benchside tune -t java -s pool=2,4 ${flag.cli.option}`));
    expect(request).toHaveProperty(name, true);
    const result = {
      kind: 'tune' as const,
      request,
      spentS: 1,
      stage: { code: 'ended' as const, decided: true, rounds: 1 },
      probeCost: null,
      answers: [],
    };
    expect(requestOf(repeatCommand({ ...exampleRun, result }))).toHaveProperty(name, true);
    expect(formOfTune(request)).toHaveProperty(name, true);
  });

  it.each([
    ['run', {}],
    ['tune', search],
  ])('is asked for by the form, of a %s', (kind, more) => {
    const { start } = checkForm({ ...plainForm, ...more, [name]: true }, exampleCatalog, true);
    expect(start).toMatchObject({ request: { kind, [name]: true } });
    expect(formOfRun(runRequestSchema.parse({ targets: ['node'], [name]: true }))).toHaveProperty(name, true);
  });
});

describe('the options of a run', () => {
  it('are asked for by different words', () => {
    const words = eachRunOption.map(([, { cli }]) => cli.option);
    expect(new Set(words).size).toBe(words.length);
  });

  it('stay out of a request in which nobody asked for them', () => {
    expect(runRequestSchema.parse({ targets: ['node'] })).toEqual({ targets: ['node'], settings: {}, load: 'steady' });
    expect(Object.keys(recordOf({}).request)).not.toContain('delta');
  });
});
