import { afterEach, describe, expect, it } from 'vitest';
import { transferTargetHeader } from '../../../src/contract/transfer.js';
import { HeardParty } from '../../../src/media-stream/heard-party.js';
import { answeredCall } from './answered-call.js';

const target = { [transferTargetHeader]: '+13125550123' };

it('notifies the bot of a call that the next process continues', () => {
  const notices: unknown[] = [];
  const party = new HeardParty((_event, fields) => notices.push(fields));
  party.continue('+13125550123');
  party.begun();
  party.described(undefined);
  party.begun();
  expect(notices).toEqual([{ party: 'target', address: '+13125550123' }, { party: 'caller' }]);
});

describe('a bot whose caller is in a warm transfer', () => {
  let call: Awaited<ReturnType<typeof answeredCall>>;
  afterEach(() => call.end());

  /** Of each connection to the bot. */
  const heard = (): unknown[][] =>
    call.sockets.map(({ sent }) =>
      sent.flatMap((text) => {
        const { event, hears } = JSON.parse(text) as { event: string; hears?: unknown };
        return event === 'hears' ? [hears] : [];
      }),
    );

  it('is notified when it hears the target, and when it hears the caller again', async () => {
    call = await answeredCall();
    // Media has moved: it is still the caller.
    call.offer(1);
    call.offer(2);
    expect(heard()).toEqual([[]]);
    call.offer(3, target);
    // A refresh of the session.
    call.offer(3);
    expect(heard()).toEqual([[{ party: 'target', address: '+13125550123' }]]);
    call.offer(2);
    expect(heard()).toEqual([[{ party: 'target', address: '+13125550123' }, { party: 'caller' }]]);
  });

  it('is notified again over a new connection', async () => {
    call = await answeredCall();
    call.offer(3, target);
    const [{ listener }] = call.sockets as [(typeof call.sockets)[0]];
    listener.end({ kind: 'lost', text: 'reset' });
    await expect.poll(() => call.sockets.length).toBe(2);
    call.sockets[1]!.listener.open();
    expect(heard()[1]).toEqual([{ party: 'target', address: '+13125550123' }]);
  });
});
