import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorReference } from '../../../dev/reference/error-reference.js';
import { errors, warnings } from '../../../src/errors.js';

describe('docs/errors.md', () => {
  it('matches the registry; otherwise run npm run docs:errors', () => {
    expect(readFileSync('docs/errors.md', 'utf8')).toBe(errorReference());
  });

  it('explains every code', () => {
    for (const [code, { text, docs }] of Object.entries(warnings)) {
      expect(errorReference()).toContain(`| \`${code}\` | ${text}. ${docs} |`);
    }
    for (const [code, { text, docs, http }] of Object.entries(errors)) {
      expect(errorReference()).toContain(`| \`${code}\` | ${http} |`);
      expect(text.length).toBeGreaterThan(3);
      expect(docs.length).toBeGreaterThan(20);
    }
  });

  it('lists what successful responses report apart from failures', () => {
    const successes = Object.entries(errors).filter(([, { http }]) => http < 400);
    expect(successes).toEqual([]);
    expect(Object.keys(warnings).filter((code) => code in errors)).toEqual([]);
  });
});
