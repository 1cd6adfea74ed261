import { describe, expect, it } from 'vitest';
import { contactHeaders } from '../../../../src/edge/sip/capabilities.js';

describe('our Contact', () => {
  it.each([
    ['tls', 'sip:1@example.com', '<sip:demarc@localhost;transport=tls>'],
    ['tls', 'sips:1@example.com', '<sips:demarc@localhost>'],
    ['tcp', 'sip:1@example.com', '<sip:demarc@localhost;transport=tcp>'],
    ['udp', 'sip:1@example.com', '<sip:demarc@localhost>'],
  ])('over %s to a request for %s', (protocol, uri, contact) => {
    expect(contactHeaders({ protocol, uri })).toEqual({ Contact: contact });
  });
});
