import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TrunkAttempt } from '../../../../src/edge/outbound/trunk-attempt.js';
import type { OfferedDialog } from '../../../../src/edge/sip/messages.js';
import { DialogDouble } from '../../../support/call-doubles.js';
import { EngineLinkDouble } from '../../../support/engine-link-double.js';

const responseMilliseconds = 2_000;
const uri = 'sip:+14155550100@pbx.example.com';
const cancelled = 'SIP;cause=487;text="Cancelled"';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** One INVITE to a server whose responses the test makes; on the wire unless the guard forbids it. */
async function attempted({
  problem = undefined as string | undefined,
  wasHeard = false,
  isOnWire = true,
  offer = 'v=0\r\n' as string | undefined,
  target = {},
} = {}) {
  const engine = new EngineLinkDouble();
  const calls = {
    trying: vi.fn(),
    provisional: vi.fn(),
    answered: vi.fn(),
    offered: vi.fn(),
    wasHeard: vi.fn(() => wasHeard),
  };
  const attempt = new TrunkAttempt({
    engine: engine as never,
    target: { host: 'pbx.example.com', transport: 'tls', ...target } as never,
    guard: { check: async () => problem, hop: () => 'sip:192.0.2.9;transport=tls' } as never,
    uri,
    headers: { From: '<sip:us@localhost>' },
    offer,
    digest: undefined,
    sessionSeconds: 1_800,
    responseMilliseconds,
    ...calls,
  });
  const ended: { result?: unknown } = {};
  void attempt.run().then((result) => {
    ended.result = result ?? 'answered';
  });
  await vi.advanceTimersByTimeAsync(0);
  const invite = engine.invites[0]!;
  if (isOnWire && problem === undefined) invite.send({ CSeq: '1 INVITE' });
  const result = async (): Promise<unknown> => {
    await vi.advanceTimersByTimeAsync(0);
    return ended.result;
  };
  const hasEnded = async (withdrawn: Promise<void>): Promise<boolean> => {
    let isOver = false;
    void withdrawn.then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    return isOver;
  };
  return { ...calls, attempt, engine, invite, result, hasEnded };
}

describe('an INVITE to a server', () => {
  it('is a separate dialog, by the hop of the guard', async () => {
    const { attempt, invite } = await attempted();
    expect(invite.uri).toBe(uri);
    expect(invite.options).toMatchObject({ localSdp: 'v=0\r\n', proxy: 'sip:192.0.2.9;transport=tls' });
    expect(invite.options.headers).toMatchObject({
      From: '<sip:us@localhost>',
      'Call-ID': attempt.sipCallId,
      CSeq: '1 INVITE',
      'Max-Forwards': '70',
    });
  });

  it.each([
    [{}, 5061],
    [{ transport: 'udp' }, 5060],
    [{ transport: 'tcp', port: 5080 }, 5080],
  ])('is to the default port of the transport %o unless it names one', async (target, port) => {
    const { attempt } = await attempted({ target });
    expect(attempt.source).toMatchObject({ address: 'pbx.example.com', port });
  });

  it('is not sent to a server that must not be called', async () => {
    const { engine, result } = await attempted({ problem: 'Private address' });
    expect(engine.invites).toEqual([]);
    expect(await result()).toEqual({
      status: 503,
      reason: 'Private address',
      isOurs: true,
      unreachable: 'Private address',
      hasRung: false,
    });
    await vi.advanceTimersByTimeAsync(2 * responseMilliseconds);
    expect(await result()).toMatchObject({ status: 503 });
  });

  it('is not sent after it was withdrawn', async () => {
    const engine = new EngineLinkDouble();
    const attempt = new TrunkAttempt({
      engine: engine as never,
      target: { host: 'pbx.example.com', transport: 'tls' } as never,
      guard: { check: async () => undefined, hop: () => undefined } as never,
      responseMilliseconds,
    } as never);
    const run = attempt.run();
    const withdrawn = attempt.withdraw(undefined);
    expect(await run).toMatchObject({
      status: 487,
      reason: 'Cancelled',
      isOurs: true,
      unreachable: undefined,
    });
    await withdrawn;
    expect(engine.invites).toEqual([]);
  });
});

describe('a server', () => {
  it('counts as down when it sends nothing in time, and gets CANCEL', async () => {
    const { invite, result } = await attempted();
    await vi.advanceTimersByTimeAsync(responseMilliseconds - 1);
    expect(await result()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(await result()).toEqual({ status: 408, reason: 'No response', isOurs: true, hasRung: false });
    expect(invite.cancels).toEqual([{ Reason: 'SIP;cause=408;text="No response"' }]);
  });

  it.each([100, 180])('may take its time once it has sent %d', async (status) => {
    const { invite, result, trying, provisional, attempt } = await attempted();
    invite.respond(status);
    await vi.advanceTimersByTimeAsync(10 * responseMilliseconds);
    expect(await result()).toBeUndefined();
    expect(trying).toHaveBeenCalledTimes(status === 100 ? 1 : 0);
    expect(provisional).toHaveBeenCalledTimes(status === 100 ? 0 : 1);
    expect(attempt.source.address).toBe(status === 100 ? 'pbx.example.com' : '192.0.2.2');
  });

  it('lives where its 100 was captured on the wire', async () => {
    const { result, trying, wasHeard, attempt } = await attempted({ wasHeard: true });
    await vi.advanceTimersByTimeAsync(2 * responseMilliseconds);
    expect(wasHeard).toHaveBeenCalledExactlyOnceWith(attempt.sipCallId, 1);
    expect(trying).toHaveBeenCalledTimes(1);
    expect(await result()).toBeUndefined();
  });

  it('gets the time again for an INVITE that its 422 asks for', async () => {
    const { invite, engine, result } = await attempted();
    await vi.advanceTimersByTimeAsync(responseMilliseconds - 100);
    invite.respond(422, { 'Min-SE': '3600' });
    expect(engine.invites).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(responseMilliseconds - 100);
    expect(await result()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(200);
    expect(await result()).toMatchObject({ status: 408 });
  });

  it('is not asked again after the attempt was withdrawn', async () => {
    const { attempt, invite, engine, result } = await attempted();
    void attempt.withdraw(undefined);
    invite.respond(422, { 'Min-SE': '3600' });
    expect(engine.invites).toHaveLength(1);
    expect(await result()).toMatchObject({ status: 422, isOurs: false });
  });
});

describe('the answer of a server', () => {
  it('is its dialog, with the description that rang where the 200 has none', async () => {
    const { invite, result, answered } = await attempted();
    const dialog = new DialogDouble();
    Object.assign(dialog.res, { body: 'trunk-answer' });
    invite.accept(dialog.asDialog);
    expect(answered).toHaveBeenCalledExactlyOnceWith(dialog, 'trunk-answer');
    expect(await result()).toBe('answered');
    await vi.advanceTimersByTimeAsync(10 * responseMilliseconds);
    expect(invite.cancels).toEqual([]);
  });

  it('may be an offer, where it was asked for one', async () => {
    const { invite, result, answered, offered } = await attempted({ offer: undefined });
    const dialog = { sdp: 'trunk-offer' } as OfferedDialog;
    invite.accept(dialog as never);
    expect(offered).toHaveBeenCalledExactlyOnceWith(dialog);
    expect(answered).not.toHaveBeenCalled();
    expect(await result()).toBe('answered');
  });
});

describe('the refusal of a server', () => {
  it('is its own, with its address', async () => {
    const { attempt, invite, result } = await attempted();
    invite.respond(180);
    invite.respond(486);
    expect(await result()).toMatchObject({
      status: 486,
      isOurs: false,
      hasRung: true,
      unreachable: undefined,
      problem: undefined,
      contact: undefined,
    });
    expect(attempt.source).toMatchObject({ address: '192.0.2.2', port: 5_060 });
  });

  it('names where a redirection leads, and only that', async () => {
    const redirected = await attempted();
    redirected.invite.respond(302, { Contact: '<sip:other@192.0.2.8>' });
    expect(await redirected.result()).toMatchObject({ status: 302, contact: '<sip:other@192.0.2.8>' });
    const refused = await attempted();
    refused.invite.respond(486, { Contact: '<sip:other@192.0.2.8>' });
    expect(await refused.result()).toMatchObject({ status: 486, contact: undefined });
  });

  it('is ours where the engine answered in its place', async () => {
    const { attempt, invite, result } = await attempted();
    invite.expire(503);
    expect(await result()).toMatchObject({ status: 503, isOurs: true, contact: undefined });
    expect(attempt.source.address).toBe('pbx.example.com');
  });

  it('is ours where the engine could not send it at all', async () => {
    const { invite, result } = await attempted({ isOnWire: false });
    invite.fail(new Error('no listener for tls'));
    const failure = await result();
    expect(failure).toMatchObject({ status: 503, isOurs: true, hasRung: false });
    expect(failure).toMatchObject({ reason: expect.stringContaining('no listener for tls') });
  });
});

describe('a withdrawn attempt', () => {
  it('is cancelled once, with the first reason, and over with the final response', async () => {
    const { attempt, invite, hasEnded, result, trying, provisional } = await attempted();
    const withdrawn = attempt.withdraw('SIP;cause=200');
    void attempt.withdraw('SIP;cause=600');
    expect(invite.cancels).toEqual([{ Reason: 'SIP;cause=200' }]);
    expect(await hasEnded(withdrawn)).toBe(false);
    invite.respond(100);
    invite.respond(180);
    expect([trying, provisional].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(2 * responseMilliseconds);
    expect(await result()).toBeUndefined();
    invite.respond(487);
    expect(await hasEnded(withdrawn)).toBe(true);
    expect(await hasEnded(attempt.withdraw(undefined))).toBe(true);
    expect(invite.cancels).toHaveLength(1);
  });

  it('is cancelled as soon as it is on the wire', async () => {
    const { attempt, invite } = await attempted({ isOnWire: false });
    void attempt.withdraw(undefined);
    expect(invite.cancels).toEqual([]);
    invite.send();
    expect(invite.cancels).toEqual([{}]);
  });

  it('ends the dialog of a 200 that crossed the CANCEL', async () => {
    const { attempt, invite, result, answered } = await attempted();
    void attempt.withdraw(undefined);
    const dialog = new DialogDouble();
    invite.accept(dialog.asDialog);
    expect(dialog.byes).toEqual([{ headers: { Reason: cancelled } }]);
    expect(answered).not.toHaveBeenCalled();
    expect(await result()).toMatchObject({ status: 487, isOurs: true });
  });

  it('leaves a dialog that the engine has ended', async () => {
    const { attempt, invite } = await attempted();
    void attempt.withdraw(undefined);
    const dialog = new DialogDouble();
    dialog.connected = false;
    invite.accept(dialog.asDialog);
    expect(dialog.byes).toEqual([]);
  });

  it('gives up an offer that crossed the CANCEL', async () => {
    const { attempt, invite, offered } = await attempted({ offer: undefined });
    void attempt.withdraw(undefined);
    const destroy = vi.fn(async () => {});
    invite.accept({ sdp: 'trunk-offer', destroy } as never);
    expect(destroy).toHaveBeenCalledTimes(1);
    expect(offered).not.toHaveBeenCalled();
  });
});

describe('an attempt whose engine is gone', () => {
  it('is over at once and sends nothing', async () => {
    const { attempt, invite, result, hasEnded } = await attempted();
    invite.respond(180);
    attempt.abandon();
    expect(await result()).toEqual({ status: 503, reason: 'Engine lost', isOurs: true, hasRung: true });
    expect(await hasEnded(attempt.withdraw(undefined))).toBe(true);
    expect(invite.cancels).toEqual([]);
  });

  it('does not time out later', async () => {
    const { attempt, invite, result } = await attempted();
    attempt.abandon();
    await vi.advanceTimersByTimeAsync(2 * responseMilliseconds);
    expect(invite.cancels).toEqual([]);
    expect(await result()).toMatchObject({ reason: 'Engine lost', hasRung: false });
  });
});
