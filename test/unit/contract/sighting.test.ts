import { describe, expect, it } from 'vitest';
import { explainHandshake } from '../../../src/contract/sighting.js';

describe('a failed TLS handshake', () => {
  it.each([
    ['0A000418:SSL routines:ssl3_read_bytes:tlsv1 alert unknown ca:SSL alert number 48', /does not trust/],
    [
      '0A000412:SSL routines:ssl3_read_bytes:sslv3 alert bad certificate:SSL alert number 42',
      /does not trust/,
    ],
    ['0A000415:SSL routines:ssl3_read_bytes:sslv3 alert certificate expired:SSL alert number 45', /expired/],
    ['0A00010B:SSL routines:ssl3_get_record:wrong version number', /no TLS/],
    ['0A000102:SSL routines:tls_early_post_process_client_hello:unsupported protocol', /TLS versions/],
    ['0A0000C1:SSL routines:tls_post_process_client_hello:no shared cipher', /share no cipher/],
    ['Client network socket disconnected before secure TLS connection was established', /closed/],
    ['socket hang up', /closed the connection/],
    ['something new', /failed/],
  ])('%s is explained', (text, cause) => {
    const explained = explainHandshake(text);
    expect(explained.cause).toMatch(cause);
    expect(explained.advice).not.toBe('');
  });
});
