import { expect, it } from 'vitest';
import { testRefusalHeader, testTokenHeader } from '../../../../src/contract/test-grant.js';
import { refusalCommand, unreadInvite } from '../../../../src/edge/sip/unread-invite.js';

const leader = 'id|sip|network|300|udp|192.0.2.7|5060|12:00:00.000000|transaction-1|';
const frame = (...headers: readonly string[]): Buffer =>
  Buffer.from(
    `${leader}\r\n${['INVITE sip:14155550100@edge.example.com SIP/2.0', 'Call-ID: a', ...headers].join('\r\n')}\r\n\r\nbody`,
  );

it('is read as far as its refusal needs, and names the caller of an agent test', () => {
  const read = unreadInvite(frame(), 0);
  expect(read).toEqual({
    sourceAddress: '192.0.2.7',
    arrivedAt: '12:00:00.000000',
    requestUri: 'sip:14155550100@edge.example.com',
    transactionId: 'transaction-1',
    isTest: false,
  });
  expect(unreadInvite(frame(`${testTokenHeader}: a.b`), 0)).toEqual({ ...read, isTest: true });
});

it('is not one of an existing dialog', () => {
  expect(unreadInvite(frame('To: <sip:a@b>;tag=1'), 0)).toBeUndefined();
  expect(unreadInvite(frame('Replaces: x'), 0)).toBeUndefined();
});

it('is refused with the headers of the refusal', () => {
  const refusal = { status: 503, headers: { [testRefusalHeader]: 'refused_limit' } };
  expect(refusalCommand('transaction-1', refusal)).toContain(`\r\n${testRefusalHeader}: refused_limit\r\n`);
});
