/** A place in a script, as V8 names it; line and column from 0, -1 where not known. */
export interface ScriptPlace {
  functionName: string;
  url: string;
  line: number;
  column: number;
}

/** How often a line, from 1, was seen executing. */
export interface LineTicks {
  line: number;
  ticks: number;
}

/** Resolves places in scripts to their sources, by source maps. */
export interface ScriptPlaces {
  /** The function as its source has it: absolute path of the file, line from 0. Null where no map knows it. */
  sourceOf(place: ScriptPlace): { functionName: string; file: string; line: number } | null;
  /** The ticks of a function in lines of its source; unchanged where no map knows them. */
  ticksOf(place: ScriptPlace, ticks: readonly LineTicks[]): readonly LineTicks[];
}
