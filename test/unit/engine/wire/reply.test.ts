import { describe, expect, it } from 'vitest';
import type { SentMessage } from '../../../../src/engine/dialog/application.js';
import type { AppConnection } from '../../../../src/engine/wire/app-connection.js';
import { FrameReply } from '../../../../src/engine/wire/reply.js';
import { Headers } from '../../../../src/sip/headers.js';
import { newRequest, newResponse, type SipMessage } from '../../../../src/sip/message.js';
import { serialize } from '../../../../src/sip/serialize.js';

const lasting: readonly (readonly [string, string])[] = [
  ['From', '<sip:edge@192.0.2.1>;tag=ours'],
  ['To', '<sip:agent@192.0.2.2>;tag=theirs'],
  ['Call-ID', 'call-1'],
  ['CSeq', '7 INVITE'],
  ['Contact', '<sip:edge@192.0.2.1:5060>'],
  ['Record-Route', '<sip:192.0.2.9;lr>'],
  ['Record-Route', '<sip:192.0.2.8;lr>'],
  ['Content-Type', 'application/sdp'],
];
const headers = () =>
  Headers.from([
    ['Via', 'SIP/2.0/TCP 192.0.2.1;branch=z9hG4bK1'],
    ...lasting,
    ['Allow', 'INVITE, ACK, BYE'],
    ['X-Account', '12'],
  ]);

const sent = (message: SipMessage): SentMessage => ({
  message,
  isPending: false,
  protocol: 'tcp',
  address: '192.0.2.2',
  port: 5060,
  transactionId: 'transaction-1',
  dialogId: 'dialog-1',
});

/** The leader and the message of the reply. */
function replied(wantsShortReplies: boolean, reply: (to: FrameReply) => void): [string, string] {
  const payloads: string[] = [];
  const connection = { wantsShortReplies, leisure: 'now', time: () => 0 };
  const queue = (payload: string) => payloads.push(payload);
  reply(new FrameReply({ ...connection, queue } as unknown as AppConnection, 'message-1'));
  expect(payloads).toHaveLength(1);
  const end = payloads[0]!.indexOf('\r\n');
  return [payloads[0]!.slice(0, end), payloads[0]!.slice(end + 2)];
}

describe('the reply to a message of an application', () => {
  const invite = newRequest('INVITE', 'sip:agent@192.0.2.2', headers(), 'v=0\r\n');
  const answer = newResponse(200, 'OK', headers(), 'v=0\r\n');

  it('repeats the message as it was sent', () => {
    const [leader, text] = replied(false, (reply) => reply.requestSent(sent(invite)));
    expect(text).toBe(serialize(invite));
    expect(leader).toContain(`application|${text.length}|tcp|192.0.2.2|5060|`);
  });

  it.each([
    ['request', invite, (reply: FrameReply) => reply.requestSent(sent(invite))],
    ['response', answer, (reply: FrameReply) => reply.responseSent(sent(answer))],
  ] as const)(
    'repeats of a %s what lasts, with the size that it had, where that is asked for',
    (_kind, message, reply) => {
      const [leader, text] = replied(true, reply);
      expect(text).toBe(serialize({ ...message, headers: Headers.from(lasting) }));
      expect(leader).toContain(`application|${serialize(message).length}|tcp|192.0.2.2|5060|`);
      expect(leader).toBe(replied(false, reply)[0]);
    },
  );
});
