import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProvisionalResponses } from '../../../../src/edge/sip/provisional-responses.js';
import { headerFields } from '../../../support/header-fields.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Reliability = ConstructorParameters<typeof ProvisionalResponses>[0]['reliability'];

const settle = () => vi.advanceTimersByTimeAsync(0);

/** Responses to an INVITE with these headers; a caller that supports reliable ones acknowledges as the test says. */
function responsesTo(headers: Readonly<Record<string, string>>, reliability: Reliability, body = 'offer') {
  const sent: { status: number; body: string | undefined; isReliable: boolean }[] = [];
  const pracks: (() => void)[] = [];
  const failures: ((error: unknown) => void)[] = [];
  const missing: number[] = [];
  const response = {
    finalResponseSent: false,
    send: (
      status: number,
      _reason: string,
      options: { body?: string; headers: Record<string, string> },
      done?: (error: unknown) => void,
      acknowledged?: () => void,
    ) => {
      sent.push({ status, body: options.body, isReliable: options.headers.Require === '100rel' });
      expect(options.headers.Contact).toBe('<sip:demarc@localhost;transport=tls>');
      if (done !== undefined) failures.push(done);
      if (acknowledged !== undefined) pracks.push(acknowledged);
    },
  };
  const provisionals = new ProvisionalResponses({
    request: { uri: 'sip:b@y', protocol: 'tls', body, ...headerFields(headers) } as never,
    response: response as never,
    reliability,
    notAcknowledged: (status) => missing.push(status),
  });
  const isSettled = async (): Promise<boolean> => {
    let is = false;
    void provisionals.settled().then(() => {
      is = true;
    });
    await settle();
    return is;
  };
  return { provisionals, sent, pracks, failures, missing, response, isSettled };
}

const required = { Require: '100rel' };
const supported = { Supported: 'timer, 100rel' };
const early = { body: 'early answer' };

describe('a provisional response', () => {
  it.each<[string, Readonly<Record<string, string>>, Reliability, object, boolean]>([
    ['is reliable to a caller that requires it', required, 'required', {}, true],
    ['is unreliable to one that only supports it', supported, 'required', early, false],
    [
      'is reliable with early media to one that supports it, if configured',
      supported,
      'early-media',
      early,
      true,
    ],
    ['is unreliable without early media', supported, 'early-media', {}, false],
    ['is unreliable to one that does not support it', {}, 'early-media', early, false],
    ['is unreliable where another extension is required', { Require: 'timer' }, 'required', early, false],
  ])('%s', async (_what, headers, reliability, options, isReliable) => {
    const { provisionals, sent } = responsesTo(headers, reliability);
    provisionals.send(183, options);
    await settle();
    expect(sent).toMatchObject([{ status: 183, isReliable }]);
    expect(provisionals.answer).toBe(isReliable ? (options as { body?: string }).body : undefined);
  });

  it('is possible unless the caller requires what we may not or cannot send', () => {
    const possible = (headers: object, reliability: Reliability, body?: string) =>
      responsesTo(headers as Record<string, string>, reliability, body).provisionals.isPossible;
    expect(possible({}, 'never')).toBe(true);
    expect(possible(supported, 'never')).toBe(true);
    expect(possible(required, 'never')).toBe(false);
    expect(possible(required, 'required')).toBe(true);
    expect(possible(required, 'required', '')).toBe(false);
    expect(possible({}, 'required', '')).toBe(true);
  });

  it('waits for the PRACK of the one before', async () => {
    const { provisionals, sent, pracks, isSettled } = responsesTo(required, 'required');
    provisionals.send(183, early);
    provisionals.send(180, {});
    await settle();
    expect(sent).toHaveLength(1);
    expect(await isSettled()).toBe(false);
    pracks[0]!();
    await settle();
    expect(sent).toMatchObject([{ status: 183 }, { status: 180 }]);
    expect(await isSettled()).toBe(false);
    pracks[1]!();
    expect(await isSettled()).toBe(true);
    expect(provisionals.answer).toBe('early answer');
  });

  it('keeps the first answer, which binds', async () => {
    const { provisionals, pracks } = responsesTo(required, 'required');
    provisionals.send(183, early);
    await settle();
    pracks[0]!();
    provisionals.send(183, { body: 'another answer' });
    await settle();
    expect(provisionals.answer).toBe('early answer');
  });

  it('ends the waiting when it is not acknowledged within 30 s, and is reported', async () => {
    const { provisionals, missing, isSettled } = responsesTo(required, 'required');
    provisionals.send(183, early);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(missing).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(missing).toEqual([183]);
    expect(await isSettled()).toBe(true);
  });

  it('is not reported when it was acknowledged', async () => {
    const { provisionals, missing, pracks } = responsesTo(required, 'required');
    provisionals.send(183, early);
    await settle();
    pracks[0]!();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(missing).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not waited for when it could not be sent', async () => {
    const { provisionals, failures, missing, isSettled } = responsesTo(required, 'required');
    provisionals.send(183, early);
    await settle();
    failures[0]!(null);
    expect(await isSettled()).toBe(false);
    failures[0]!(new Error('not sent'));
    expect(await isSettled()).toBe(true);
    expect(missing).toEqual([]);
  });

  it('is not sent after the final response, or the end', async () => {
    const { provisionals, sent, response, isSettled } = responsesTo(required, 'required');
    response.finalResponseSent = true;
    provisionals.send(180, {});
    expect(await isSettled()).toBe(true);
    const plain = responsesTo({}, 'never');
    plain.provisionals.end();
    plain.provisionals.send(180, {});
    const reliable = responsesTo(required, 'required');
    reliable.provisionals.end();
    reliable.provisionals.send(180, {});
    expect(await reliable.isSettled()).toBe(true);
    expect([...sent, ...plain.sent, ...reliable.sent]).toEqual([]);
  });

  it('waits for no PRACK once the INVITE has its final response', async () => {
    const { provisionals, missing, isSettled } = responsesTo(required, 'required');
    provisionals.send(183, early);
    await settle();
    provisionals.end();
    expect(await isSettled()).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(missing).toEqual([]);
  });
});
