import { type TemplateResult, html, nothing } from 'lit';

export interface Choice {
  value: string;
  text: string;
}

/** Choices by their values. */
export function choicesOf<Value extends string>(texts: Readonly<Record<Value, string>>): { value: Value; text: string }[] {
  return (Object.entries(texts) as [Value, string][]).map(([value, text]) => ({ value, text }));
}

interface SelectLook {
  look?: string;
  label?: string;
  title?: string;
  /** The choice that cannot be made now. */
  off?: string | undefined;
}

/** A drop-down of the browser's own; `sharedStyles` has its look. */
export function nativeSelect<Value extends string>(
  choices: readonly { value: Value; text: string }[],
  chosen: string,
  choose: (value: Value) => void,
  { look, label, title, off }: SelectLook = {},
): TemplateResult {
  return html`<select
    class=${look ?? nothing}
    aria-label=${label ?? nothing}
    title=${title ?? nothing}
    @change=${(event: Event) => choose((event.target as HTMLSelectElement).value as Value)}
  >
    ${choices.map(({ value, text }) => html`<option value=${value} ?selected=${value === chosen} ?disabled=${value === off}>${text}</option>`)}
  </select>`;
}
