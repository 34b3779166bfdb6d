import { File } from 'node:buffer';
import { remembered } from '../../../model/domain/remembered.ts';
import { FormData } from 'undici';
import { SeededRandom } from '../../statistics/seededRandom.ts';
import type { CompiledPart, CompiledStep } from './compileRoles.ts';
import { type TemplateScope, asItIs, encodeInHeader, encodeInJson, encodeInPath, fillTemplate } from './template.ts';

export interface FilledRequest {
  method: CompiledStep['method'];
  path: string;
  headers: Record<string, string>;
  body: string | FormData | null;
}

export function fillRequest(step: CompiledStep, scope: TemplateScope): FilledRequest {
  const path = fillTemplate(step.path, scope, encodeInPath);
  const headers: Record<string, string> = {};
  for (const { name, value } of step.headers) headers[name] = fillTemplate(value, scope, encodeInHeader);
  if (step.body !== null) {
    if (step.body.isJson) headers['content-type'] ??= 'application/json';
    return { method: step.method, path, headers, body: fillTemplate(step.body.text, scope, step.body.isJson ? encodeInJson : asItIs) };
  }
  if (step.multipart === null) return { method: step.method, path, headers, body: null };
  // FormData sets it together with the boundary.
  delete headers['content-type'];
  return { method: step.method, path, headers, body: formData(step.multipart, scope) };
}

function formData(parts: readonly CompiledPart[], scope: TemplateScope): FormData {
  const form = new FormData();
  for (const part of parts) {
    const content = part.kind === 'bytes' ? pseudoRandomBytes(part.bytes) : fillTemplate(part.text, scope, asItIs);
    if (part.kind === 'text' && part.fileName === undefined && part.contentType === undefined) form.append(part.name, String(content));
    else form.append(part.name, new File([content], part.fileName ?? part.name, { type: part.contentType ?? 'application/octet-stream' }));
  }
  return form;
}

const madeBytes = new Map<number, Buffer>();

/** The same bytes for the same length, made once: making them again for each request would be the generator's work, not the target's. */
function pseudoRandomBytes(length: number): Buffer {
  return remembered(madeBytes, length, () => {
    const random = new SeededRandom(length);
    const bytes = Buffer.alloc(Math.ceil(length / 4) * 4);
    for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(random.nextUint32(), at);
    return bytes.subarray(0, length);
  });
}
