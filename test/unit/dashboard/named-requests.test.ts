import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../../src/dashboard/', import.meta.url);

describe('an error on a page', () => {
  it('is never shown as the faults of its fields alone, without the request', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    );
    const showing = files.filter((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8');
      return /\.faults\b/.test(text) && !/RequestNote|withRequest/.test(text);
    });
    // Its fields are part of forms whose end names the request.
    expect(showing).toEqual(['forms/refusal.ts']);
  });
});
