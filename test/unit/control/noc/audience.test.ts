import { describe, expect, it } from 'vitest';
import { audienceOf, streamLimit } from '../../../../src/control/noc/audience.js';

const owner = (keyId: string, organizationId: string) => ({ keyId, organizationId });
const many = (count: number, of: (index: number) => ReturnType<typeof owner>) =>
  Array.from({ length: count }, (_, index) => of(index));

describe('the event streams that may be open', () => {
  it('are thirty of a key', () => {
    const open = many(29, () => owner('key_1', 'org_1'));
    expect(streamLimit(open, owner('key_1', 'org_1'))).toBeUndefined();
    const full = [...open, owner('key_1', 'org_1')];
    expect(streamLimit(full, owner('key_1', 'org_1'))).toBe('30 event streams of this key are open');
    expect(streamLimit(full, owner('key_2', 'org_1'))).toBeUndefined();
  });

  it('are a hundred of an organization', () => {
    const open = many(99, (index) => owner(`key_${index}`, 'org_1'));
    expect(streamLimit(open, owner('key_new', 'org_1'))).toBeUndefined();
    const full = [...open, owner('key_99', 'org_1')];
    expect(streamLimit(full, owner('key_new', 'org_1'))).toBe(
      '100 event streams of this organization are open',
    );
    expect(streamLimit(full, owner('key_new', 'org_2'))).toBeUndefined();
  });

  it('are two thousand of a process', () => {
    const open = many(1_999, (index) => owner(`key_${index}`, `org_${index}`));
    expect(streamLimit(open, owner('key_new', 'org_new'))).toBeUndefined();
    expect(streamLimit([...open, owner('a', 'b')], owner('key_new', 'org_new'))).toBe(
      '2000 event streams are open',
    );
  });
});

describe('the audience of a caller', () => {
  it('is the own organization', () => {
    for (const isOperator of [false, true])
      expect(audienceOf({ organizationId: 'org_1', isOperator }, 'organization')).toEqual({
        organizationId: 'org_1',
        isOperator,
        scope: 'organization',
      });
  });

  it('is the fleet for operators alone', () => {
    expect(audienceOf({ organizationId: 'org_1', isOperator: true }, 'fleet').scope).toBe('fleet');
    expect(() => audienceOf({ organizationId: 'org_1', isOperator: false }, 'fleet')).toThrow(
      expect.objectContaining({ code: 'OPERATOR_ONLY' }),
    );
  });
});
