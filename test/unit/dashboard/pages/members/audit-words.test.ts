import { describe, expect, it } from 'vitest';
import {
  fieldWords,
  kindsIn,
  type NamedKind,
  subjectParts,
} from '../../../../../src/dashboard/pages/members/audit-words.js';

const ada = 'mem_4f2b8c1d9e0a7b6c5d4e3f2a';
const gone = 'mem_000000000000000000000001';
const names = { kinds: new Set<NamedKind>(['mem']), byId: new Map([[ada, 'Ada Lovelace']]) };

describe('the audit log', () => {
  it('shows names in the place of ids', () => {
    expect(subjectParts(`${ada} owner`, names)).toEqual([
      { text: 'Ada Lovelace', id: ada },
      { text: 'owner' },
    ]);
    expect(subjectParts(gone, names)).toEqual([{ text: '(member no longer listed)', id: gone }]);
    expect(subjectParts('+14155550100 inbound', names)).toEqual([{ text: '+14155550100 inbound' }]);
    expect(subjectParts('', names)).toEqual([]);
  });

  it('leaves ids whose names could not be read', () => {
    expect(subjectParts('key_4f2b8c1d9e0a7b6c5d4e3f2a', names)).toEqual([
      { text: 'key_4f2b8c1d9e0a7b6c5d4e3f2a' },
    ]);
  });

  it('reads only the lists of what it mentions', () => {
    expect(kindsIn([`${ada} owner`, 'mem_ber', 'evt_4f2b8c1d9e0a7b6c5d4e3f2a', '+14155550100'])).toEqual(
      new Set(['mem']),
    );
  });

  it('writes fields as words', () => {
    expect(fieldWords('phone_numbers, allowed_ips, sip_uri')).toBe(
      'phone numbers, allowed IP addresses, SIP URI',
    );
  });
});
