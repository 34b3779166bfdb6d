import { describe, expect, it } from 'vitest';
import { pathRoute } from '../../../src/engine/detect/pathRoute.ts';

describe('a path as a framework writes it', () => {
  it('has a parameter wherever the framework has one', () => {
    const written = [
      '/a/:id',
      '/a/{id}',
      '/a/{id:[0-9]+}',
      '/a/[id]',
      '/a/[...id]',
      '/a/[id=integer]',
      '/a/[[lang]]/[id]',
      '/a/[id]/[[...rest]]',
    ];
    for (const path of written) expect(pathRoute('GET', path)).toMatchObject({ path: '/a/:id', parameters: { id: { min: 1 } } });
    expect(pathRoute('GET', '/[user]/[post-id]')?.path).toBe('/:user/:post_id');
    expect(pathRoute('GET', '/[[...all]]')?.path).toBe('/');
  });

  it('is no route where it cannot be requested as it is', () => {
    for (const path of ['/a/[0-9', '/a/*', '/a/(b)', '/a b']) expect(pathRoute('GET', path)).toBeNull();
  });
});
