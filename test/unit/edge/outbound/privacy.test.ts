import { describe, expect, it } from 'vitest';
import { withPrivacy } from '../../../../src/edge/outbound/privacy.js';

const headers = { From: '<sip:+4930@localhost>', 'P-Asserted-Identity': '<sip:+4930@localhost>' };

describe('privacy of a call to a trunk', () => {
  it.each(['id', 'header;id', 'Critical; ID', 'user'])('%s keeps the number from From alone', (Privacy) => {
    const respected = withPrivacy({ ...headers, Privacy });
    expect(respected.From).toBe('"Anonymous" <sip:anonymous@anonymous.invalid>');
    expect(respected['P-Asserted-Identity']).toBe(headers['P-Asserted-Identity']);
    expect(respected.Privacy).toBe(Privacy);
  });

  it.each(['none', 'session', ''])('%s asks for none', (Privacy) => {
    expect(withPrivacy({ ...headers, Privacy }).From).toBe(headers.From);
  });
});
