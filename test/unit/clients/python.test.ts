import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clientSource, operationsSource, typesSource } from '../../../clients/python/generate.js';
import { apiDocument } from '../../support/api-document.js';

describe('the Python client', () => {
  it('matches the API description; otherwise run npm run client:python', async () => {
    const written = (file: string): string => readFileSync(`clients/python/src/demarc/${file}`, 'utf8');
    const document = await apiDocument();
    expect(written('_types.py') === typesSource(document)).toBe(true);
    expect(written('_operations.py') === operationsSource(document)).toBe(true);
    expect(written('_client.py') === clientSource()).toBe(true);
  });
});
