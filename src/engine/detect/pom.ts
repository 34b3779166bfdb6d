import { Parser } from 'htmlparser2';

/** An element of a pom.xml. */
interface PomElement {
  /** The names of those that it lies in, and its own. */
  path: string;
  /** What it says outside of other elements. */
  text: string;
  /** The offset of its tag. */
  at: number;
}

/** Nobody writes deeper, and the parser takes the longer for an element the deeper it lies. */
const deepest = 100;
const pieceCharacters = 8 * 1024;
/** A name, version or path is no longer than this. */
const longestText = 300;

/** The elements of a pom.xml, in the order of their tags. */
export class Pom {
  readonly elements: PomElement[] = [];

  constructor(written: string) {
    const open: PomElement[] = [];
    const parser = new Parser(
      {
        onopentagname: (name) => {
          const element = { path: `${open.at(-1)?.path ?? ''}/${name}`, text: '', at: parser.startIndex };
          open.push(element);
          this.elements.push(element);
        },
        ontext: (piece) => {
          const element = open.at(-1);
          if (element !== undefined) element.text = `${element.text}${piece}`.trimStart().slice(0, longestText);
        },
        onclosetag: () => {
          const element = open.pop();
          if (element !== undefined) element.text = element.text.trimEnd();
        },
      },
      { xmlMode: true },
    );
    for (let at = 0; at < written.length && open.length <= deepest; at += pieceCharacters)
      parser.write(written.slice(at, at + pieceCharacters));
  }

  /** What the first element of this path says, from the project on: `/version`. */
  own(path: string): string | undefined {
    return this.elements.find((one) => one.path === `/project${path}`)?.text;
  }

  /** What the first element of this name says, wherever it is. */
  named(name: string): string | undefined {
    return this.elements.find((one) => one.path.endsWith(`/${name}`) && one.text !== '')?.text;
  }
}
