import type { LoadProfile } from '../../src/model/domain/loadProfile.ts';
import type { Form } from '../../src/model/protocol/panel.ts';
import { readRunOption, runOptionText } from '../../src/model/presentation/runOptionText.ts';
import { type FormOptionName, type RunOptionValues, formOptions } from '../../src/model/domain/runOptions.ts';

/** The text field of an option that is one number, under More settings. */
export interface OptionField {
  name: FormOptionName;
  label: string;
  text: string;
  placeholder: string;
  help: string;
  /** A search does not know it. */
  disabled: boolean;
  /** What the summary of the folded settings says of it; empty: nothing. */
  summary: string;
}

/** The fields for the options that are one number, with what holds where they are left empty. */
export function optionFields(form: Form, load: LoadProfile | undefined, searching: boolean): OptionField[] {
  const ofLoad: RunOptionValues = load ?? {};
  return formOptions.map(([name, option]) => {
    const { label, help, empty, searching: inSearch, summary, always } = option.form;
    const disabled = searching && option.tune === undefined;
    const text = disabled ? '' : form[name];
    const loaded = ofLoad[name];
    const without = searching && inSearch !== undefined ? inSearch : disabled ? 'not in a search' : empty;
    const isLoads = loaded !== undefined && without === empty;
    const read = text.trim() === '' ? null : readRunOption(option, text);
    const told = read?.ok ? option.told.words(read.value) : read === null && always && isLoads ? option.told.words(loaded) : '';
    return {
      name,
      label,
      text,
      help,
      disabled,
      placeholder: isLoads ? runOptionText(option, loaded) : without,
      summary: told === '' ? '' : summary(told),
    };
  });
}
