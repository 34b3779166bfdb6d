/** What was answered to a request that is recorded. */
export interface RecordedAnswer {
  status: number;
  body: unknown;
  /** `name=value` of the first cookie that was set. */
  cookie: string;
}

/** Asks a service on loopback and keeps every request with its answer, as a browser does. */
export function startRecorder(port: number) {
  const origin = `http://127.0.0.1:${port}`;
  const entries: unknown[] = [];
  const pairs = (headers: Iterable<[string, string]>): { name: string; value: string }[] =>
    [...headers].map(([name, value]) => ({ name, value }));
  return {
    async ask(
      method: string,
      path: string,
      { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
    ): Promise<RecordedAnswer> {
      const sent = body === undefined ? headers : { ...headers, 'content-type': 'application/json' };
      const text = body === undefined ? null : JSON.stringify(body);
      const startedDateTime = new Date().toISOString();
      const answer = await fetch(`${origin}${path}`, { method, headers: sent, body: text });
      const said = await answer.text();
      entries.push({
        startedDateTime,
        request: {
          method,
          url: `${origin}${path}`,
          headers: pairs(Object.entries(sent)),
          ...(text === null ? {} : { postData: { mimeType: 'application/json', text } }),
        },
        response: {
          status: answer.status,
          headers: pairs(answer.headers),
          content: { mimeType: answer.headers.get('content-type') ?? '', text: said },
        },
      });
      return { status: answer.status, body: JSON.parse(said) as unknown, cookie: answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '' };
    },
    har: (): string => JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } }),
  };
}
