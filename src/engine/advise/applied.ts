import type { AdviceChange, AdviceVariable } from '../../model/domain/advice.ts';
import { type SettingValue, isSetByProbe } from '../../model/domain/setting.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { whereToSet } from '../targets/whereToSet.ts';
import { saysOtherwise, variantOf } from '../variants/varied.ts';
import { variantKeyOf } from '../variants/catalogue.ts';

type Apply = AdviceChange['apply'];

/** What a person does to have a value: as it reaches the process, and the line of benchside.json that has it. */
export function appliedBy(declared: DeclaredTarget, name: string, value: SettingValue): Apply {
  const key = variantOf(declared, name) ?? (declared.target.settings[name] === undefined ? variantKeyOf(name) : undefined);
  if (key === undefined) {
    const { how, file, line } = whereToSet(declared, name, value);
    const spec = declared.target.settings[name];
    const carried = spec?.env === undefined ? 'command line' : 'environment';
    const where = spec !== undefined && isSetByProbe(name, spec) ? 'code' : carried;
    const given = spec?.arguments?.map((argument) => argument.replaceAll('{value}', String(value))).join(' ');
    // As it is copied; only what has neither is a sentence.
    const text = spec?.env === undefined ? (given ?? how) : `${spec.env}=${value}`;
    const inFile = `"default": ${JSON.stringify(value)} of "${name}" in line ${line}`;
    return [{ where, text }, ...(file === null || line === null ? [] : [{ where: 'benchside.json' as const, text: inFile }])];
  }
  const { env = {}, nodeOptions = [], jvmOptions = [], database } = key.activation(String(value), name);
  const variables: AdviceVariable[] = [
    ...Object.entries(env).map(([variable, text]) => ({ name: variable, value: text, appends: false })),
    ...(nodeOptions.length === 0 ? [] : [{ name: 'NODE_OPTIONS', value: nodeOptions.join(' '), appends: true }]),
    ...(jvmOptions.length === 0 ? [] : [{ name: 'JAVA_TOOL_OPTIONS', value: jvmOptions.join(' '), appends: true }]),
  ];
  return [
    ...Object.entries(env).map(([variable, text]) => ({ where: 'environment' as const, text: `${variable}=${text}` })),
    ...(nodeOptions.length === 0 ? [] : [{ where: 'environment' as const, text: `NODE_OPTIONS="${nodeOptions.join(' ')}"` }]),
    ...(jvmOptions.length === 0 ? [] : [{ where: 'command line' as const, text: jvmOptions.join(' ') }]),
    ...(database === undefined
      ? []
      : [{ where: 'sql' as const, text: `ALTER ROLE CURRENT_USER SET ${database.setting} TO ${literal(database.value)};` }]),
    // What the command or another variable says otherwise would win, or the runtime would not start.
    ...(saysOtherwise(declared.target, key)
      ? []
      : variables.map((variable) => ({
          where: 'benchside.json' as const,
          text: `"env": { ${JSON.stringify(variable.name)}: ${JSON.stringify(variable.value)} }`,
          variable,
        }))),
  ];
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
