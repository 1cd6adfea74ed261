import { describe, expect, it } from 'vitest';
import { options, refuseMethod } from '../../../../src/edge/call/options.js';
import { DigitPlayer } from '../../../../src/edge/call/play-digit.js';
import type { ReceivedRequest, ResponseSender } from '../../../../src/edge/sip/messages.js';

describe('digits received by INFO', () => {
  const digit = (name: string) => ({ digit: name, milliseconds: 1 });

  it('are played one after the other to a side', async () => {
    const played: string[] = [];
    const player = new DigitPlayer(() => ({
      playDigit: async (side, name) => {
        played.push(`${side} ${name}`);
        return true;
      },
    }));
    await Promise.all([
      player.play('trunk', digit('1')),
      player.play('trunk', digit('2')),
      player.play('agent', digit('3')),
    ]);
    expect(played).toEqual(['trunk 1', 'agent 3', 'trunk 2']);
  });

  it('fail when there is no stream, or the call has ended, and the next is played all the same', async () => {
    let hasStream = false;
    const player = new DigitPlayer(() => ({ playDigit: async () => hasStream }));
    const first = player.play('trunk', digit('1'));
    await expect(first).rejects.toThrow('There is no audio stream.');
    hasStream = true;
    await expect(player.play('trunk', digit('2'))).resolves.toBeUndefined();
    await expect(new DigitPlayer(() => undefined).play('trunk', digit('1'))).rejects.toThrow(
      'The call has ended.',
    );
  });

  it('wait in a queue of 32', async () => {
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const player = new DigitPlayer(() => ({ playDigit: () => begun.then(() => false) }));
    const queued = Array.from({ length: 32 }, () => player.play('trunk', digit('1')).catch(() => {}));
    await expect(player.play('agent', digit('2'))).rejects.toThrow(
      'Too many digits are waiting to be played.',
    );
    begin();
    await Promise.all(queued);
    await expect(player.play('agent', digit('2'))).rejects.toThrow('There is no audio stream.');
  });

  it('are marked as being sent until the work is done, also when it fails', async () => {
    const player = new DigitPlayer(() => undefined);
    expect(player.isSending).toBe(false);
    expect(await player.sending(async () => player.isSending)).toBe(true);
    expect(player.isSending).toBe(false);
    await player.sending(() => Promise.reject(new Error('x'))).catch(() => {});
    expect(player.isSending).toBe(false);
  });
});

describe('a request outside a dialog', () => {
  function answered(isReady: boolean, require?: string) {
    const sent: { status: number; headers: Record<string, string> }[] = [];
    const response = {
      send: (status: number, _reason: undefined, { headers }: { headers: Record<string, string> }) =>
        sent.push({ status, headers }),
    } as unknown as ResponseSender;
    const request = {
      get: (name: string) => (name === 'Require' ? require : undefined),
    } as unknown as ReceivedRequest;
    const deps = { settings: { drain: { retryAfterSeconds: 7 } } } as Parameters<typeof options>[0];
    const status = options(deps, () => isReady, request, response);
    expect(sent).toHaveLength(1);
    expect(sent[0]!.status).toBe(status);
    return sent[0]!;
  }

  it('by OPTIONS gets our capabilities', () => {
    const { status, headers } = answered(true);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      Allow: expect.stringContaining('PRACK'),
      Supported: expect.stringContaining('100rel'),
    });
  });

  it('by OPTIONS gets 503 while draining', () => {
    expect(answered(false)).toEqual({ status: 503, headers: { 'Retry-After': '7' } });
  });

  it('is refused when it requires what we do not support, and only then', () => {
    expect(answered(true, 'timer, Path, gruu')).toEqual({
      status: 420,
      headers: { Unsupported: 'Path, gruu' },
    });
    expect(answered(true, 'timer, 100REL').status).toBe(200);
  });

  it('by another method is refused with those that are allowed', () => {
    const sent: unknown[] = [];
    const response = { send: (...parts: unknown[]) => sent.push(parts) } as unknown as ResponseSender;
    expect(refuseMethod({} as ReceivedRequest, response)).toBe(405);
    expect(sent).toEqual([[405, undefined, { headers: { Allow: expect.stringContaining('INVITE') } }]]);
  });
});
