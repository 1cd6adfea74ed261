import { describe, expect, it } from 'vitest';
import { attemptOf, retryDelay } from '../../../../src/control/deliveries/attempt.js';
import {
  domainOf,
  refused,
  smtpStatusOf,
  transportOptions,
} from '../../../../src/control/deliveries/mail-sender.js';
import { failed, type Outcome, unconfigured } from '../../../../src/control/deliveries/sender.js';
import { pausesAfter } from '../../../../src/control/deliveries/silent-receivers.js';
import { outcomeOf } from '../../../../src/control/deliveries/sms-sender.js';
import { outcomeOfStatus } from '../../../../src/control/deliveries/webhook/outcome.js';

const now = Date.UTC(2026, 10, 27, 9);

describe('an attempt', () => {
  const settings = { attempts: 5, retryMilliseconds: 4_000 };
  const delivered: Outcome = { kind: 'delivered', status: 204 };
  const refusal = failed('The receiver answered 500', 500);

  it('is the last one when it delivers', () => {
    expect(attemptOf(4, delivered, settings, now)).toEqual({
      status: 'delivered',
      lastStatus: 204,
      error: null,
      nextAttemptAt: null,
      wait: undefined,
    });
  });

  it.each([
    [0, 'pending'],
    [3, 'pending'],
    [4, 'failed'],
    [9, 'failed'],
  ] as const)('leaves, when it fails after %d others, the delivery %s', (earlier, status) => {
    const attempt = attemptOf(earlier, refusal, settings, now);
    expect(attempt).toMatchObject({ status, lastStatus: 500, error: 'The receiver answered 500' });
    expect(attempt.nextAttemptAt === null).toBe(status === 'failed');
    expect(attempt.wait === undefined).toBe(status === 'failed');
  });

  it('is not repeated when it would fail the same way', () => {
    expect(attemptOf(0, failed('Deleted', null, true), settings, now)).toEqual({
      status: 'failed',
      lastStatus: null,
      error: 'Deleted',
      nextAttemptAt: null,
      wait: undefined,
    });
  });

  it.each([
    [0, 3_000, 4_000],
    [1, 6_000, 8_000],
    [2, 12_000, 16_000],
  ])('after %d others is repeated in %d to %d ms', (earlier, least, most) => {
    const { wait, nextAttemptAt } = attemptOf(earlier, refusal, settings, now);
    expect(wait).toBeGreaterThanOrEqual(least);
    expect(wait).toBeLessThanOrEqual(most);
    expect(nextAttemptAt!.getTime()).toBe(now + wait!);
  });

  it('waits whole milliseconds', () => {
    expect(retryDelay(1, 1_001, 0.3)).toBe(826);
  });
});

describe('a pause of a receiver', () => {
  it.each([
    [1, false, false, 0],
    [2, false, false, 0],
    [3, false, false, 1],
    [4, true, true, 2],
    [7, true, true, 5],
    [4, true, false, 0],
    [1, false, true, 0],
  ])('after %d timeouts, begun: %s, probe: %s, is number %d', (timeouts, isBegun, isProbe, pauses) => {
    expect(pausesAfter(timeouts, { isBegun, isProbe })).toBe(pauses);
  });
});

describe('the outcome of a webhook', () => {
  it.each([200, 201, 204, 299])('with %d is delivered', (status) => {
    expect(outcomeOfStatus(status)).toEqual({ kind: 'delivered', status });
  });

  it.each([
    [101, 'The receiver answered 101 Switching Protocols'],
    [199, 'The receiver answered 199'],
    [300, 'The receiver answered 300 Multiple Choices; redirects are not followed'],
    [301, 'The receiver answered 301 Moved Permanently; redirects are not followed'],
    [399, 'The receiver answered 399; redirects are not followed'],
    [400, 'The receiver answered 400 Bad Request'],
    [410, 'The receiver answered 410 Gone'],
    [503, 'The receiver answered 503 Service Unavailable'],
  ])('with %d has failed: %s', (status, error) => {
    expect(outcomeOfStatus(status)).toEqual({ kind: 'failed', status, error, isFinal: false });
  });
});

describe('the outcome of an SMS', () => {
  it.each([
    [200, { kind: 'delivered', status: 200 }],
    [201, { kind: 'delivered', status: 201 }],
    [299, { kind: 'delivered', status: 299 }],
    [199, failed('The SMS provider answered 199', 199)],
    [300, failed('The SMS provider answered 300', 300)],
    [400, failed('The SMS provider answered 400', 400, true)],
    [401, failed('The SMS provider answered 401', 401)],
    [429, failed('The SMS provider answered 429', 429)],
    [500, failed('The SMS provider answered 500', 500)],
  ])('with %d', (status, outcome) => {
    expect(outcomeOf(status)).toEqual(outcome);
  });
});

describe('the outcome of a mail', () => {
  it.each([
    ['250 2.0.0 Ok: queued as 4F', 250],
    ['250', 250],
    ['2.0.0 Ok', null],
    ['Ok 250', null],
    [undefined, null],
  ])('%j has the status %j', (response, status) => {
    expect(smtpStatusOf(response)).toBe(status);
  });

  const error = (code: string | undefined, responseCode: number | undefined) =>
    Object.assign(
      new Error('mail.internal: refused'),
      code === undefined ? {} : { code },
      responseCode === undefined ? {} : { responseCode },
    );

  it.each<[string | undefined, number | undefined, object]>([
    ['EENVELOPE', 550, failed('The mail server refused the message with 550', 550, true)],
    ['EENVELOPE', 500, failed('The mail server refused the message with 500', 500, true)],
    ['EENVELOPE', 499, failed('The mail server refused the message with 499', 499)],
    ['EENVELOPE', 450, failed('The mail server refused the message with 450', 450)],
    ['EMESSAGE', 554, failed('The mail server refused the message with 554', 554, true)],
    ['EAUTH', 535, failed('The mail server refused Demarc’s user name and password', 535)],
    ['ETLS', undefined, failed('The mail server offers no trusted encryption')],
    ['EENVELOPE', undefined, { ...failed('The mail server was unreachable (EENVELOPE)'), isSilent: false }],
    [
      'ECONNECTION',
      421,
      { ...failed('The mail server was unreachable (ECONNECTION)', 421), isSilent: false },
    ],
    ['ETIMEDOUT', undefined, { ...failed('The mail server was unreachable (ETIMEDOUT)'), isSilent: true }],
    [undefined, undefined, { ...failed('The mail server was unreachable (Error)'), isSilent: false }],
  ])('after %s %s', (code, status, outcome) => {
    expect(refused(error(code, status))).toEqual(outcome);
  });
});

describe('the mail server', () => {
  it.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, secure: false, requireTLS: false }],
    ['smtps://mail.example', { host: 'mail.example', port: 465, secure: true, requireTLS: false }],
    ['smtp://mail.example:25', { port: 25, secure: false }],
    ['smtp://[::1]:2525', { host: '::1', port: 2_525 }],
    [
      'smtp://noc%40acme.example:p%3Aw@mail.example',
      { requireTLS: true, auth: { user: 'noc@acme.example', pass: 'p:w' } },
    ],
  ])('of %s is reached by %j', (url, options) => {
    expect(transportOptions(url, undefined)).toMatchObject({
      disableFileAccess: true,
      disableUrlAccess: true,
      ...options,
    });
  });

  it('gets no credentials and no authority where none are set', () => {
    expect(transportOptions('smtp://mail.example', undefined)).not.toHaveProperty('auth');
    expect(transportOptions('smtp://mail.example', undefined)).not.toHaveProperty('tls');
    const ca = Buffer.from('certificate');
    expect(transportOptions('smtp://mail.example', ca)).toMatchObject({ tls: { ca } });
  });

  it.each([
    ['alerts@acme.example', 'acme.example'],
    ['Demarc <alerts@acme.example>', 'acme.example'],
    ['"a@b" <alerts@acme.example>', 'acme.example'],
    ['alerts', 'demarc.invalid'],
  ])('names messages of %s by %s', (from, domain) => {
    expect(domainOf(from)).toBe(domain);
  });
});

describe('a channel that is not configured', () => {
  it('says so, and is not tried again', async () => {
    const outcome = await unconfigured('SMS').send({} as never, new AbortController().signal);
    expect(outcome).toEqual(
      failed('This service cannot send SMS: the operator has not configured it', null, true),
    );
  });
});
