/** k6 has one, which its types leave out. */
declare const console: { log(text: string): void };
