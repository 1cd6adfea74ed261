import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { Dialog } from '../../../../src/engine/dialog/dialog.js';
import { parseMessage } from '../../../../src/sip/parse.js';
import { expectNothingLeft, Fixture, outboundCall, peerRequest, peerResponse } from './fixture.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('a dialog keeps nothing of the message that formed it but its own values', () => {
  const fixture = new Fixture();
  const filling = `Subject: ${'x'.repeat(100_000)}\r\nContact:`;
  const dialogOf = (index: number): Dialog => {
    const text = peerRequest(fixture, 'INVITE', { callId: `long-enough-call-id-${index}` }).replace(
      'Contact:',
      filling,
    );
    const parsed = parseMessage(Buffer.from(text, 'latin1'));
    if (!parsed.ok || parsed.message.kind !== 'request') throw new Error('not a request');
    const local = { tag: 'ours', contact: '<sip:ours@192.0.2.10>' };
    return Dialog.forServer(parsed.message, fixture.flow(), fixture.application, local);
  };
  collect();
  const before = process.memoryUsage().heapUsed;
  const dialogs = Array.from({ length: 200 }, (_, index) => dialogOf(index));
  collect();
  expect(dialogs[7]!.callId).toBe('long-enough-call-id-7');
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(4_000_000);
});

test('the ACK that answers a repeated 2xx is forgotten when the peer has stopped repeating', async () => {
  const fixture = new Fixture();
  const { dialogId, invite } = outboundCall(fixture);
  const ok = peerResponse(invite, '200 OK', { tag: 'bt1' });
  fixture.take();
  fixture.deliver(ok);
  expect(fixture.wire()).toEqual(['ACK']);
  await fixture.clock.advance(33_000);
  fixture.deliver(ok);
  expect(fixture.wire()).toEqual([]);
  fixture.within(dialogId, 'BYE');
  fixture.deliver(peerResponse(fixture.sentRequest('BYE'), '200 OK'));
  await expectNothingLeft(fixture);
});
