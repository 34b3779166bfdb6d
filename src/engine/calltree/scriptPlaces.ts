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

/** Tells of places in scripts where they come from, as far as source maps say. */
export interface ScriptPlaces {
  /** The function as its source has it: absolute path of the file, line from 0. Null where nothing tells. */
  sourceOf(place: ScriptPlace): { functionName: string; file: string; line: number } | null;
  /** The ticks of a function in lines of its source; as they are where nothing tells. */
  ticksOf(place: ScriptPlace, ticks: readonly LineTicks[]): readonly LineTicks[];
}
