import { describe, expect, it } from 'vitest';
import { soughtTerms, termsOf } from '../../../../src/control/parties/terms.js';

const contact = {
  name: 'Jane van  Doe',
  identifiers: [
    { type: 'phone_number', value: '+14155550100' },
    { type: 'email', value: 'jane.doe@Example.com' },
    { type: 'external_id', value: 'CRM-77' },
  ],
} as const;

const finds = (search: string): boolean => {
  const terms = termsOf(contact);
  return soughtTerms(search).every((forms) =>
    forms.some((form) => terms.some((term) => term.startsWith(form))),
  );
};

describe('a search for contacts', () => {
  it.each([
    'jane',
    'JA',
    'doe jane',
    '+14155550100',
    '+1415',
    '1415',
    '415555',
    '(415) 555-0100',
    '555 0100',
    '0100',
    'jane.doe@ex',
    '@example.com',
    'crm-77',
    '',
  ])('finds one by %j', (search) => {
    expect(finds(search)).toBe(true);
  });

  it.each(['jane smith', 'oe', '0101', 'example.com', '77'])('does not find it by %j', (search) => {
    expect(finds(search)).toBe(false);
  });

  it('finds a term that is longer than what is stored of it', () => {
    const value = `crm-${'7'.repeat(150)}`;
    const terms = termsOf({ name: '', identifiers: [{ type: 'external_id', value }] });
    for (const forms of soughtTerms(value))
      expect(forms.some((form) => terms.some((term) => term.startsWith(form)))).toBe(true);
  });

  it('finds a name however many identifiers there are', () => {
    const identifiers = Array.from({ length: 100 }, (_, index) => ({
      type: 'phone_number' as const,
      value: `+1415555${String(index).padStart(4, '0')}`,
    }));
    const terms = termsOf({ name: 'Jane', identifiers });
    expect(terms).toContain('jane');
    expect(terms).toContain('14155550099');
  });

  it('stays bounded', () => {
    const name = Array.from({ length: 500 }, (_, index) => `word${index}`).join(' ');
    expect(termsOf({ name, identifiers: [] }).length).toBeLessThanOrEqual(60);
    expect(soughtTerms(name)).toHaveLength(5);
    expect(termsOf({ name: 'x'.repeat(5_000), identifiers: [] })[0]).toHaveLength(100);
  });
});
