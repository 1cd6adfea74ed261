import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { retryDelay } from '../../../../src/control/deliveries/attempt.js';
import { shownTarget } from '../../../../src/control/deliveries/delivery-view.js';
import {
  requestHead,
  responseBody,
  responseHead,
} from '../../../../src/control/deliveries/webhook/exchange.js';

describe('the log of a delivery', () => {
  const secret = 's3cret';

  it.each([
    `https://hooks.example/in?token=${secret}`,
    `https://hooks.example/in?a=1&token=${secret}#f`,
    `https://hooks.example/in#${secret}`,
    `https://hooks.example/in?\n${secret}`,
  ])('shows %j without its query', (target) => {
    expect(shownTarget({ channel: 'webhook', target })).toBe('https://hooks.example/in?…');
  });

  it('shows other targets as they are', () => {
    expect(shownTarget({ channel: 'email', target: 'a?b#c@acme.example' })).toBe('a?b#c@acme.example');
    expect(shownTarget({ channel: 'webhook', target: 'https://hooks.example/in' })).toBe(
      'https://hooks.example/in',
    );
  });

  it('has the head of the request, without the query', () => {
    const head = requestHead(`https://hooks.example:8443/in?token=${secret}`, { 'x-event': 'call' }, 12);
    expect(head.split('\n')).toEqual([
      'POST /in?… HTTP/1.1',
      'host: hooks.example:8443',
      'x-event: call',
      'content-length: 12',
    ]);
    expect(requestHead('https://hooks.example/in', {}, 0)).toMatch(/^POST \/in HTTP/);
  });

  it('has the head of the response, without cookies', () => {
    const response = {
      httpVersion: '1.1',
      statusCode: 200,
      statusMessage: '',
      rawHeaders: ['Set-Cookie', secret, 'X-Id', '1', 'set-cookie2', secret, 'x-id', '2'],
    } as unknown as IncomingMessage;
    expect(responseHead(response).split('\n')).toEqual([
      'HTTP/1.1 200',
      'Set-Cookie: …',
      'X-Id: 1',
      'set-cookie2: …',
      'x-id: 2',
    ]);
  });

  it('has at most 2 KB of the body, which PostgreSQL can store', () => {
    expect(responseBody(Buffer.from('a\0b'))).toBe('a\ufffdb');
    expect(responseBody(Buffer.from([0x61, 0xff]))).toBe('a\ufffd');
    expect(responseBody(Buffer.alloc(5_000, 'x'))).toHaveLength(2_048);
  });
});

describe('the delay before a delivery is repeated', () => {
  it('is doubled with each failure, up to an hour', () => {
    const longest = [1, 2, 3, 4, 20, 1_000].map((attempts) => retryDelay(attempts, 5_000, 1));
    expect(longest).toEqual([5_000, 10_000, 20_000, 40_000, 3_600_000, 3_600_000]);
  });

  it('differs by a quarter at most, so that receivers are not met by all at once', () => {
    expect(retryDelay(1, 5_000, 0)).toBe(3_750);
    expect(retryDelay(20, 5_000, 0)).toBe(2_700_000);
  });
});
