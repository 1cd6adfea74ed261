import { expect, it } from 'vitest';
import { inviteWithTimer } from '../../../../src/edge/sip/timed-invite.js';
import { DialogDouble } from '../../../support/call-doubles.js';
import { EngineLinkDouble } from '../../../support/engine-link-double.js';

function begin(mayRepeat?: () => boolean) {
  const engine = new EngineLinkDouble();
  const ends: unknown[] = [];
  const progress = { sent: () => {}, provisional: () => {}, ...(mayRepeat && { mayRepeat }) };
  const invite = { headers: { From: '<sip:a@x>' }, localSdp: 'v=0', sessionSeconds: 300 };
  inviteWithTimer(engine, 'sip:b@y', invite, progress, (error, dialog) => ends.push(error ?? dialog));
  return { engine, ends };
}
const identity = { From: '<sip:a@x>;tag=1', 'Call-ID': 'c1', CSeq: '7 INVITE' };

it('an INVITE answered 422 is sent again with the longer interval, as the same call with the next CSeq', () => {
  const { engine, ends } = begin();
  engine.invites[0]!.send(identity);
  engine.invites[0]!.respond(422, { 'Min-SE': '900' });
  expect(engine.invites.length).toBe(2);
  const { headers } = engine.invites[1]!.options;
  expect(headers).toMatchObject({ ...identity, CSeq: '8 INVITE', 'Min-SE': '900' });
  expect(Number.parseInt(headers!['Session-Expires']!, 10)).toBe(900);
  const dialog = new DialogDouble().asDialog;
  engine.invites[1]!.send({ ...identity, CSeq: '8 INVITE' });
  engine.invites[1]!.accept(dialog);
  expect(ends).toEqual([dialog]);
});

it('a server that answers 422 again and again is given up', () => {
  const { engine, ends } = begin();
  for (let i = 0; ends.length === 0 && i < 20; i++) {
    engine.invites[i]!.send(identity);
    engine.invites[i]!.respond(422, { 'Min-SE': String(1_000 * (i + 1)) });
  }
  expect(ends).toMatchObject([{ res: { status: 422 } }]);
  expect(engine.invites.length).toBeLessThan(10);
});

it.each([
  ['that names no interval', {}, undefined],
  ['of a call that has ended meanwhile', { 'Min-SE': '900' }, () => false],
])('a 422 %s is final', (_what, headers, mayRepeat) => {
  const { engine, ends } = begin(mayRepeat);
  engine.invites[0]!.send(identity);
  engine.invites[0]!.respond(422, headers);
  expect(engine.invites.length).toBe(1);
  expect(ends).toMatchObject([{ res: { status: 422 } }]);
});
