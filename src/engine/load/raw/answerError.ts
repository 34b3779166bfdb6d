/** The kind of error that a status is, as a block counts it; '' for 2xx and 3xx. */
export function answerError(status: number): '' | 'status4xx' | 'status5xx' | 'other' {
  if (status >= 200 && status < 400) return '';
  if (status >= 500 && status < 600) return 'status5xx';
  return status >= 400 && status < 500 ? 'status4xx' : 'other';
}
