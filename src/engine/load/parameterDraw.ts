import type { RouteParameter } from '../../model/domain/target.ts';

/** What a parameter is drawn from: a whole number from `min` to `max`, or the text that stands for it. */
export interface ParameterDraw {
  min: number;
  max: number;
  /** By what is drawn, as a path and as a body take it; null: the number itself. */
  texts: { path: readonly string[]; body: readonly string[] } | null;
}

/** What is drawn for each of these names; of a body that is JSON, its texts are written as within a string. */
export function drawsOf(
  { parameters, body }: { parameters: Readonly<Record<string, RouteParameter>>; body?: string | undefined },
  names: readonly string[],
): ParameterDraw[] {
  const isJson = body !== undefined && looksLikeJson(body);
  return names.map((name) => {
    const parameter = parameters[name] ?? { min: 1, max: 1 };
    if (!('values' in parameter)) return { ...parameter, texts: null };
    const { values } = parameter;
    const written = isJson ? values.map((value) => JSON.stringify(value).slice(1, -1)) : values;
    return { min: 0, max: values.length - 1, texts: { path: values.map(encodeURIComponent), body: written } };
  });
}

export function looksLikeJson(body: string): boolean {
  return /^\s*[[{]/.test(body);
}
