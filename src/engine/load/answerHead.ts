// Heads of answers as undici hands them over: names and values in turn.

/** Bytes of the head of an answer. */
export function headBytes(statusText: string, headers: readonly Buffer[]): number {
  // `HTTP/1.1 200 `, the line's end and the empty line; and with each header `: ` and the line's end.
  return headers.reduce((sum, part) => sum + part.length + 2, 13 + statusText.length + 4);
}

/** Whether the server announces to close the connection after this answer. */
export function announcesClose(headers: readonly Buffer[]): boolean {
  return headers.some((name, at) => at % 2 === 0 && name.length === 10 && isWord(name, 'connection') && isWord(headers[at + 1], 'close'));
}

function isWord(text: Buffer | undefined, word: string): boolean {
  return text?.toString('latin1').toLowerCase() === word;
}
