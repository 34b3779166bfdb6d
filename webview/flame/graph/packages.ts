import { numberIn } from '../../../src/model/domain/remembered.ts';
import type { FlameNames, Layout } from '../core/layout.ts';

/** Colours there are for packages; the lightest packages share one more, grey. */
export const packageHues = 8;

const longestName = 200;

/** The npm package, Node itself, the Java package (its first three parts), or the file's folder that a function belongs to; '' where it is not known. */
export function packageOf(name: string, file: string): string {
  const path = file.slice(-2000).replaceAll('\\', '/');
  const inModules = path.includes('node_modules/') ? /^.*\/?node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] : undefined;
  if (inModules !== undefined) return inModules.slice(0, longestName);
  if (path.startsWith('node:')) return 'node';
  const beforeArguments = name.slice(0, 1000).split(/[(<\s]/, 1)[0] ?? '';
  const parts = beforeArguments.split(/[./]/);
  const packages = parts.slice(0, Math.max(0, parts.length - 2)).filter((part) => /^[a-z_][a-z0-9_]*$/.test(part));
  if (packages.length > 0 && /^[A-Z]/.test(parts[packages.length] ?? '')) return packages.slice(0, 3).join('.').slice(0, longestName);
  const folder = path
    .slice(0, Math.max(0, path.lastIndexOf('/')))
    .split('/')
    .at(-1);
  return (folder ?? '').slice(0, longestName);
}

export interface PackageColours {
  /** Hue of each function: its package's, or {@link packageHues} for all others. */
  hueOfFunction: Uint8Array;
  /** The packages that have a hue of their own, by hue. */
  packages: readonly string[];
}

/** The weight of a box's width relative to its self weight: packages that only call others come after those that do the work. */
const widthShare = 1e-3;

interface PackagesOfFunctions {
  packages: readonly string[];
  /** Index into `packages` for each function. */
  packageOfFunction: Int32Array;
}

/** Names are many and stay the same from layout to layout. */
const packagesOf = new WeakMap<FlameNames, PackagesOfFunctions>();

function packagesOfFunctions(names: FlameNames): PackagesOfFunctions {
  const known = packagesOf.get(names);
  if (known?.packageOfFunction.length === names.name.length) return known;
  const numbers = new Map<string, number>();
  const packageOfFunction = Int32Array.from(names.name, (name, func) => numberIn(numbers, packageOf(name, names.file[func] ?? '')));
  const made = { packages: [...numbers.keys()], packageOfFunction };
  packagesOf.set(names, made);
  return made;
}

/** Gives the packages with the most weight in the layout a hue each. */
export function packageColours(layout: Layout, names: FlameNames): PackageColours {
  const { packages, packageOfFunction } = packagesOfFunctions(names);
  const weights = new Float64Array(packages.length);
  for (let box = 0; box < layout.boxCount; box++) {
    const func = layout.func[box] ?? -1;
    if (func >= 0) weights[packageOfFunction[func] ?? 0]! += (layout.self[box] ?? 0) + widthShare * (layout.w[box] ?? 0);
  }
  const heaviest = [...weights.keys()]
    .filter((number) => packages[number] !== '' && (weights[number] ?? 0) > 0)
    .sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || (packages[a] ?? '').localeCompare(packages[b] ?? '', 'en'))
    .slice(0, packageHues);
  const hueOfPackage = new Uint8Array(packages.length).fill(packageHues);
  heaviest.forEach((number, hue) => (hueOfPackage[number] = hue));
  return {
    hueOfFunction: Uint8Array.from(packageOfFunction, (number) => hueOfPackage[number] ?? packageHues),
    packages: heaviest.map((number) => packages[number] ?? ''),
  };
}
