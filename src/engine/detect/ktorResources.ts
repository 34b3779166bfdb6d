import { joinPaths } from './pathRoute.ts';

/** A class whose annotation is a path of Ktor, as `@Resource("{id}") class Id(val parent: Articles)`. */
interface Resource {
  file: string;
  /** With the names of the types around it: `Articles.Id`. */
  name: string;
  path: string;
  /** The types of what its constructor takes: one of them may be the resource above it. */
  takes: string[];
}

interface Text {
  file: string;
  content: string;
  /** By each opening bracket its closing one. */
  ends: ReadonlyMap<number, number>;
}

const type = /\b(?:class|object|interface)\s{1,4}([A-Z]\w{0,80})/g;
const annotated =
  /@Resource\(\s{0,20}(?:path\s{0,4}=\s{0,4})?"([^"\n]{0,200})"\s{0,20}\)(?:\s{1,40}(?:@[\w.]{1,80}(?:\([^()\n]{0,100}\))?|data|private|internal|public|sealed))*\s{1,40}$/;
const annotationCharacters = 500;
const taken = /:\s{0,4}([A-Z][\w.]{0,160})/g;
const deepest = 10;

/** Finds the path of a class of Ktor’s resources by the name that a route has in this file; null where several differ, or none is known. */
export function ktorResources(texts: readonly Text[]): (name: string, file: string) => string | null {
  const all = texts.filter(({ content }) => content.includes('@Resource')).flatMap(resourcesIn);
  const named = (name: string, file: string): Resource | undefined => {
    const found = all.filter((one) => one.name === name || one.name.endsWith(`.${name}`));
    const near = found.filter((one) => one.file === file);
    const [only, ...others] = near.length > 0 ? near : found;
    return others.some(({ path, takes }) => path !== only?.path || takes.join() !== only.takes.join()) ? undefined : only;
  };
  /** As Kotlin looks a name up: first within the types around, from the innermost one. */
  const above = ({ name, file, takes }: Resource): Resource | undefined => {
    const around = name.split('.').map((_, index, names) => names.slice(0, names.length - index).join('.'));
    const near = all.filter((one) => one.file === file);
    return takes.flatMap(
      (one) => around.flatMap((outer) => near.find((other) => other.name === `${outer}.${one}`) ?? [])[0] ?? named(one, file) ?? [],
    )[0];
  };
  const pathOf = (one: Resource, depth: number): string => {
    const outer = above(one);
    return outer === undefined || outer === one || depth === 0 ? one.path : joinPaths(pathOf(outer, depth - 1), one.path);
  };
  return (name, file) => {
    const found = named(name, file);
    return found === undefined ? null : pathOf(found, deepest);
  };
}

function resourcesIn({ file, content, ends }: Text): Resource[] {
  const types = [...content.matchAll(type)].map(({ 0: whole, 1: name = '', index }) => {
    const head = index + whole.length;
    const given = /^\s{0,4}\(/.exec(content.slice(head, head + 6))?.[0].length;
    const closed = given === undefined ? head : (ends.get(head + given - 1) ?? head);
    // Of what it extends only a line is looked through.
    const block = /^[^\n{;=]{0,200}\{/.exec(content.slice(given === undefined ? closed : closed + 1, closed + 210))?.[0].length;
    const from = (given === undefined ? closed : closed + 1) + (block ?? 0);
    const path = annotated.exec(content.slice(Math.max(0, index - annotationCharacters), index))?.[1];
    const takes = given === undefined ? [] : [...content.slice(head, closed).matchAll(taken)].map(([, one = '']) => one);
    return { name, index, path, takes, to: block === undefined ? from : (ends.get(from - 1) ?? from) };
  });
  return types.flatMap(({ name, index, path, takes }) => {
    if (path === undefined) return [];
    const around = types.filter((one) => one.index < index && index < one.to).map((one) => one.name);
    return [{ file, name: [...around, name].join('.'), path, takes }];
  });
}
