import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Dialog, ReceivedRequest, ResponseSender } from '../../../src/edge/sip/messages.js';
import type { AgreedAudio } from '../../../src/media-stream/audio-description.js';
import { Negotiation } from '../../../src/media-stream/negotiation.js';
import { directionOf, readSession } from '../../../src/sdp/sdp.js';
import { headerFields } from '../../support/header-fields.js';

const offerOf = (version = 1, formats = '0 101', direction = 'sendrecv'): string =>
  `v=0\r\no=- 7 ${version} IN IP4 192.0.2.7\r\ns=-\r\nc=IN IP4 192.0.2.7\r\nt=0 0\r\nm=audio 4000 RTP/AVP ${formats}\r\na=rtpmap:101 telephone-event/8000\r\na=${direction}\r\n`;
const versionOf = (sdp: string): number => Number(/^o=- \d+ (\d+)/m.exec(sdp)![1]);
const direction = (sdp: string): string => directionOf(readSession(sdp)!, readSession(sdp)!.media[0]!);

describe('the audio of a call at a bot', () => {
  let taken: AgreedAudio[];
  let negotiation: Negotiation;
  /** Of our re-INVITEs. */
  let offered: string[];
  beforeEach(() => {
    [taken, offered] = [[], []];
    negotiation = new Negotiation({
      address: '192.0.2.1',
      port: () => 5_000,
      take: (agreed) => taken.push(agreed),
      log: pino({ level: 'silent' }),
    });
  });

  const requested = (method: string, body?: string, headers: Record<string, string> = {}) => {
    const sent: { status: number; options: { headers?: Record<string, string>; body?: string } }[] = [];
    negotiation.modify(
      { method, body, ...headerFields(headers) } as unknown as ReceivedRequest,
      {
        send: (status: number, _reason: unknown, options: (typeof sent)[number]['options']) =>
          sent.push({ status, options }),
      } as unknown as ResponseSender,
      '<sip:bot@192.0.2.1>',
    );
    return sent[0]!;
  };
  /** A dialog whose peer answers a re-INVITE so. */
  const answering = (status: number, body?: string) =>
    ({
      connected: true,
      local: { contact: '<sip:bot@192.0.2.1>' },
      request: (options: { body: string }, done: (error: unknown, response: object) => void) => {
        offered.push(options.body);
        done(undefined, { status, reason: '', body });
      },
    }) as unknown as Dialog;

  test('is agreed by the answer to an offer, and described for a successor', () => {
    expect(negotiation.describe()).toBeUndefined();
    const answer = negotiation.begin(offerOf())!;
    expect(answer).toContain('m=audio 5000 RTP/AVP 0 101');
    expect(taken).toMatchObject([
      { codec: 'PCMU', payloadType: 0, eventPayloadType: 101, remote: { address: '192.0.2.7', port: 4_000 } },
    ]);
    expect(negotiation.remoteDescription).toBe(offerOf());
    expect(negotiation.describe()).toMatchObject({ agreed: taken[0], direction: 'sendrecv', version: 1 });
  });

  test('is offered where the INVITE has no description, and agreed by the ACK alone', () => {
    const offer = negotiation.begin('')!;
    expect(offer).toContain('m=audio 5000 RTP/AVP');
    expect([taken, negotiation.describe()]).toEqual([[], undefined]);
    for (const empty of [undefined, '']) expect(negotiation.acknowledged(empty)).toBe(false);
    expect(negotiation.acknowledged(offerOf(1, '8'))).toBe(true);
    expect(taken).toMatchObject([{ codec: 'PCMA' }]);
    expect(negotiation.acknowledged(offerOf(2))).toBe(false);
  });

  test('is not agreed by an offer without one of our codecs', () => {
    expect(negotiation.begin(offerOf(1, '18'))).toBeUndefined();
    negotiation.begin(offerOf());
    const refused = requested('INVITE', offerOf(2, '18'));
    expect([refused.status, negotiation.remoteDescription]).toEqual([488, offerOf()]);
  });

  test('follows a re-INVITE to hold, and its version grows with each other description', () => {
    negotiation.begin(offerOf());
    const held = requested('INVITE', offerOf(2, '0 101', 'sendonly'));
    expect(held.status).toBe(200);
    expect(held.options.headers).toMatchObject({
      'Content-Type': 'application/sdp',
      Contact: '<sip:bot@192.0.2.1>',
    });
    expect([direction(held.options.body!), versionOf(held.options.body!)]).toEqual(['recvonly', 2]);
    const repeated = requested('INVITE', offerOf(2, '0 101', 'sendonly'));
    expect(versionOf(repeated.options.body!)).toBe(2);
    const resumed = requested('UPDATE', offerOf(3));
    expect([direction(resumed.options.body!), versionOf(resumed.options.body!)]).toEqual(['sendrecv', 3]);
  });

  test('is offered in answer to a re-INVITE without a description, and not in answer to such an UPDATE', () => {
    negotiation.begin(offerOf());
    expect(requested('UPDATE').options.body).toBeUndefined();
    expect(negotiation.acknowledged(offerOf(2))).toBe(false);
    expect(requested('INVITE').options.body).toContain('m=audio 5000');
    expect(negotiation.acknowledged(offerOf(2))).toBe(true);
  });

  test('has the session timer that the peer asks for', () => {
    negotiation.begin(offerOf());
    expect(negotiation.session).toBeUndefined();
    const headers = { 'Session-Expires': '600;refresher=uac', Supported: 'timer' };
    const refreshed = requested('UPDATE', undefined, headers);
    expect(refreshed.options.headers).toMatchObject({ 'Session-Expires': '600;refresher=uac' });
    expect(negotiation.session).toMatchObject({ seconds: 600, isOurs: false });
  });

  test('is held by the bot once, and stays as it was where the edge refuses', async () => {
    negotiation.begin(offerOf());
    const held = offerOf(2, '0 101', 'recvonly');
    expect(await negotiation.turn(answering(200, held), 'sendonly')).toBe(true);
    expect([direction(offered[0]!), negotiation.remoteDescription]).toEqual(['sendonly', held]);
    expect(await negotiation.turn(answering(200, held), 'sendonly')).toBe(false);
    expect(offered).toHaveLength(1);
    const agreed = taken.length;
    expect(await negotiation.turn(answering(491), 'sendrecv')).toBe(true);
    expect([taken.length, negotiation.remoteDescription]).toEqual([agreed, held]);
    // The answer came with the 200: the ACK brings none.
    expect(negotiation.acknowledged(offerOf(3))).toBe(false);
  });

  test('continues in another process with the same origin and the next version', () => {
    const answer = negotiation.begin(offerOf())!;
    const document = negotiation.describe()!;
    const leg = { local_description: answer, remote_description: offerOf(), session_timer: null };
    const next = new Negotiation({
      address: '192.0.2.1',
      port: () => 5_000,
      take: (agreed) => taken.push(agreed),
      log: pino({ level: 'silent' }),
    });
    next.continue(document, leg as never);
    expect(taken.at(-1)).toEqual(document.agreed);
    expect([next.localDescription, next.remoteDescription]).toEqual([answer, offerOf()]);
    expect(next.describe()).toEqual(document);
  });
});
