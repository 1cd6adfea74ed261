import { describe, expect, it } from 'vitest';
import { contactHeaders } from '../../../../src/edge/call/contact.js';

describe('our Contact', () => {
  it.each([
    ['tls', 'sip:1@example.com', { Contact: '<sip:demarc@localhost;transport=tls>' }],
    ['tls', 'sips:1@example.com', {}],
    ['tcp', 'sip:1@example.com', {}],
    ['udp', 'sip:1@example.com', {}],
  ])('over %s to a request for %s', (protocol, uri, headers) => {
    expect(contactHeaders({ protocol, uri })).toEqual(headers);
  });
});
