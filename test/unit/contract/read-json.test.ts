import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readJson } from '../../../src/contract/read-json.js';

const schema = z.object({ version: z.literal(1) });

describe('What a store gave', () => {
  it('is read by its schema', () => {
    expect(readJson(schema, '{"version":1}')).toEqual({ version: 1 });
  });

  it.each([null, undefined, '', '{', 'null', '[]', '{"version":2}'])('%j is nothing', (json) => {
    expect(readJson(schema, json)).toBeUndefined();
  });
});
