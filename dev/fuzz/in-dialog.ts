import { parseCSeq } from '../../src/sip/cseq.js';
import type { SipRequest } from '../../src/sip/message.js';
import type { Chance } from './chance.js';
import type { Dialog, Party } from './party.js';

const methods = [
  'INVITE',
  'INVITE',
  'INVITE',
  'UPDATE',
  'UPDATE',
  'INFO',
  'INFO',
  'REFER',
  'NOTIFY',
  'PRACK',
  'OPTIONS',
  'MESSAGE',
  'SUBSCRIBE',
  'PUBLISH',
  'FOO',
  'ACK',
] as const;

/** One or several requests in a dialog, some of which overlap. */
export function act(party: Party, dialog: Dialog, chance: Chance): void {
  const { call } = dialog;
  const method = chance.pick(methods);
  const send = (name: string, options: Parameters<Party['request']>[2] = {}): SipRequest =>
    party.request(call, name, options, dialog);
  const withOffer = (probability: number) =>
    chance.happens(probability) ? { body: party.description(chance) } : {};
  switch (method) {
    case 'INVITE': {
      const invite = send('INVITE', withOffer(0.8));
      if (chance.happens(0.25)) send('INVITE', withOffer(1));
      if (chance.happens(0.25)) send('UPDATE', withOffer(1));
      if (chance.happens(0.2)) party.cancel(invite);
      if (chance.happens(0.08)) send('BYE');
      return;
    }
    case 'UPDATE':
      send('UPDATE', withOffer(0.7));
      return;
    case 'INFO':
      send('INFO', {
        body: chance.pick([
          'Signal=5\r\nDuration=160\r\n',
          `Signal=${'9'.repeat(900)}`,
          'Signal=\r\n',
          'x',
          '',
        ]),
        headers: {
          'Content-Type': chance.pick(['application/dtmf-relay', 'application/dtmf', 'text/plain', 'x']),
        },
      });
      return;
    case 'REFER': {
      const target = chance.pick([
        `sip:${party.story.who}@127.0.0.1`,
        'sip:100@127.0.0.1',
        'x',
        `sip:a@127.0.0.1?Replaces=${call.callId}%3Bto-tag%3Da%3Bfrom-tag%3Db`,
      ]);
      send('REFER', { headers: { 'Refer-To': `<${target}>` } });
      return;
    }
    case 'NOTIFY':
      send('NOTIFY', {
        body: 'SIP/2.0 200 OK\r\n',
        headers: {
          Event: chance.pick(['refer', 'refer;id=1', 'dialog']),
          'Subscription-State': chance.pick(['active', 'terminated;reason=noresource']),
          'Content-Type': 'message/sipfrag',
        },
      });
      return;
    case 'PRACK':
      send('PRACK', { headers: { RAck: `1 ${chance.between(1, 3)} INVITE` } });
      return;
    case 'SUBSCRIBE':
      send('SUBSCRIBE', { headers: { Event: chance.pick(['dialog', 'refer', 'presence']) } });
      return;
    case 'MESSAGE':
      send('MESSAGE', { body: 'x', headers: { 'Content-Type': 'text/plain' } });
      return;
    case 'ACK':
      send('ACK', { cseq: chance.between(1, call.cseq + 1), ...withOffer(0.3) });
      return;
    default:
      send(method);
  }
}

export type Decision =
  | { readonly status: number; readonly hasBody: boolean; readonly wait: number }
  | 'silence';

/** How a party responds to a request in a dialog; the same for each copy of it. */
export function decide(request: SipRequest, chance: Chance): Decision {
  const own = chance.derive(`${request.method} ${parseCSeq(request.headers.get('CSeq') ?? '')?.number}`);
  const isBye = request.method === 'BYE';
  if (own.happens(isBye ? 0.03 : 0.05)) return 'silence';
  const wait = own.happens(0.7) ? 0 : own.between(1, 150);
  const odd = [100, 180, 202, 302, 401, 404, 408, 422, 481, 488, 491, 500, 503, 603, 699];
  const status = own.happens(isBye ? 0.05 : 0.15) ? own.pick(odd) : 200;
  const hasOffer = request.body !== '' || request.method === 'INVITE';
  const isSession = request.method === 'INVITE' || request.method === 'UPDATE';
  return { status, wait, hasBody: isSession && hasOffer && own.happens(0.9) };
}
