import { readFileSync } from 'node:fs';

export interface DescriptorLimits {
  soft: number;
  /** What the soft limit may be raised to without being root. */
  hard: number;
}

/**
 * The limits of this process, which its children inherit; null where they are unknown. Node raises its own soft limit to the hard one when it starts, the JVM
 * does so too, and nginx is configured to: only the hard limit counts for them.
 */
export function descriptorLimits(): DescriptorLimits | null {
  try {
    return parseDescriptorLimits(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return fromReport();
  }
}

/** Reads proc(5)'s `/proc/<pid>/limits`. */
export function parseDescriptorLimits(text: string): DescriptorLimits | null {
  const found = /^Max open files\s+(\d+|unlimited)\s+(\d+|unlimited)/m.exec(text);
  if (found === null) return null;
  return { soft: limit(found[1]), hard: limit(found[2]) };
}

/** Where there is no /proc Node's diagnostic report has them; it takes some ms to make. */
function fromReport(): DescriptorLimits | null {
  // Node 20.13 knows it, its types do not: without it every address of the machine is looked up by name.
  const report = process.report as (NodeJS.ProcessReport & { excludeNetwork?: boolean }) | undefined;
  if (report === undefined) return null;
  const before = report.excludeNetwork ?? false;
  report.excludeNetwork = true;
  try {
    const { userLimits } = report.getReport() as { userLimits?: Record<string, { soft: number | string; hard: number | string }> };
    const open = userLimits?.['open_files'];
    return open === undefined ? null : { soft: limit(String(open.soft)), hard: limit(String(open.hard)) };
  } finally {
    report.excludeNetwork = before;
  }
}

function limit(text: string | undefined): number {
  return text === undefined || text === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(text);
}
