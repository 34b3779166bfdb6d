/** Reads CSV as RFC 4180 has it. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      at += 1;
      for (;;) {
        if (at >= text.length) throw new Error('a quote is not closed');
        if (text[at] !== '"') cell += text[at++];
        else if (text[at + 1] === '"') {
          cell += '"';
          at += 2;
        } else break;
      }
      at += 1;
    } else {
      while (at < text.length && text[at] !== ',' && text[at] !== '\r') {
        if (text[at] === '"' || text[at] === '\n') throw new Error(`a bare ${JSON.stringify(text[at])}`);
        cell += text[at++];
      }
    }
    row.push(cell);
    if (text[at] === ',') at += 1;
    else if (text.startsWith('\r\n', at)) {
      at += 2;
      rows.push(row);
      row = [];
    } else throw new Error(`neither comma nor line end at ${at}`);
  }
  return rows;
}
