import { describe, expect, it } from 'vitest';
import { describeFailure } from '../../../../src/control/deliveries/webhook/failure-words.js';

const withCode = (code: string): Error => Object.assign(new Error('10.0.0.7 said no'), { code });

describe('the failure of a webhook', () => {
  it.each([
    ['ENOTFOUND', 'The host name of the URL has no address'],
    ['ECONNREFUSED', 'Connection refused by the receiver'],
    ['ECONNRESET', 'The receiver closed the connection before responding'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'The receiver’s certificate is for another name'],
    ['CERT_HAS_EXPIRED', 'The receiver’s certificate is refused: it has expired'],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'The receiver’s certificate is refused: it is self-signed and not trusted',
    ],
    [
      'CERT_SIGNATURE_FAILURE',
      'The receiver’s certificate is refused: its signature is not that of the trusted authority of the same name',
    ],
    ['EPROTO', 'The connection to the receiver failed (EPROTO)'],
    ['toString', 'The connection to the receiver failed (toString)'],
  ])('%s is described without addresses of the network', (code, words) => {
    expect(describeFailure(withCode(code), 1_000)).toBe(words);
  });

  it('names an error without a code by its name', () => {
    expect(describeFailure(new TypeError('10.0.0.7'), 1_000)).toBe(
      'The connection to the receiver failed (TypeError)',
    );
  });

  it('is that of the first address when several were tried', () => {
    const both = new AggregateError([withCode('ETIMEDOUT'), withCode('ECONNREFUSED')]);
    expect(describeFailure(both, 1_000)).toBe('The receiver did not respond in time');
  });

  it.each(['AbortError', 'TimeoutError'])('%s says how long the receiver had', (name) => {
    const error = Object.assign(new Error('late'), { name });
    expect(describeFailure(error, 2_500)).toBe('The receiver did not respond within 2500 ms');
  });
});
