import { describe, expect, it } from 'vitest';
import type { Sighting } from '../../../../../src/dashboard/api/setup.js';
import {
  headlineOf,
  isContact,
  isRefusedSource,
} from '../../../../../src/dashboard/pages/guides/sighting-words.js';

const seen = (changes: Partial<Sighting>): Sighting =>
  ({
    kind: 'request',
    method: 'INVITE',
    source_address: '203.0.113.5',
    source_port: 5061,
    protocol: 'tls',
    status: null,
    end_reason: null,
    phone_number: '+14155550100',
    ...changes,
  }) as Sighting;

describe('what arrived, in words', () => {
  it.each([
    [
      { status: 403, end_reason: 'refused_source' },
      'INVITE from 203.0.113.5: 403, the address is not in the list',
    ],
    [{ method: 'OPTIONS', status: 200 }, 'OPTIONS from 203.0.113.5: 200'],
    [{ method: 'REGISTER', status: 405 }, 'REGISTER from 203.0.113.5: 405, Demarc is no registrar'],
    [{}, 'INVITE from 203.0.113.5: admitted'],
    [{ kind: 'handshake', method: null }, 'TLS connection from 203.0.113.5 failed'],
  ] as const)('%j', (changes, text) => expect(headlineOf(seen(changes))).toBe(text));

  it('counts as contact only when SIP works', () => {
    expect(isContact(seen({}))).toBe(true);
    expect(isContact(seen({ method: 'OPTIONS', status: 200 }))).toBe(true);
    expect(isContact(seen({ method: 'OPTIONS', status: 503 }))).toBe(false);
    expect(isContact(seen({ status: 403 }))).toBe(false);
    expect(isContact(seen({ kind: 'handshake', method: null }))).toBe(false);
  });

  it('offers to allow an address only where that would help', () => {
    const refused = { status: 403, end_reason: 'refused_source' } as const;
    expect(isRefusedSource(seen(refused))).toBe(true);
    expect(isRefusedSource(seen({ ...refused, phone_number: null }))).toBe(false);
    expect(isRefusedSource(seen({ ...refused, protocol: 'udp' }))).toBe(false);
    expect(isRefusedSource(seen({ status: 488, end_reason: 'refused_media' }))).toBe(false);
  });
});
