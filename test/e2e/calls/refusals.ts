import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CallClosed } from '../../../dev/softphone/baresip.js';
import type { CallRecord } from '../../../src/contract/call-record.js';
import {
  type DigestAlgorithm,
  digestResponse,
  formatCredentials,
  parseChallenges,
} from '../../../src/sip/digest.js';
import type { SipResponse } from '../../../src/sip/message.js';
import { agentDescription, trunkDescription, trunkKey } from '../../contract/media/descriptions.js';
import { PeerCall } from '../../support/peer-call.js';
import type { Stack } from '../stack.js';
import { messagesOf } from '../traces.js';

let stack: Stack;

/** Dials with a phone that must be refused with that text, and gives the record of it. */
async function refusedCall(
  number: string,
  text: string,
  options: Parameters<Stack['phone']>[0] = {},
): Promise<CallRecord> {
  const phone = await stack.phone(options);
  await phone.dial(stack.uri(number));
  await expect(phone.waitFor('CALL_ESTABLISHED', 20_000)).rejects.toThrow(new CallClosed(text));
  return stack.recordOf(number);
}

/** A scripted INVITE with that description; the refusal, acknowledged. */
async function refusedOffer(number: string, body: string): Promise<SipResponse> {
  const call = PeerCall.to(await stack.rawCaller(), number);
  await call.invite({ body });
  const { message } = await call.response((status) => status >= 200);
  await call.ack(message);
  return message;
}

export function refusedCalls(stage: () => Stack): void {
  describe('a call that is refused', () => {
    beforeAll(() => {
      stack = stage();
    });

    afterEach(() => stack.endTest());

    describe('media that is not secured as wanted', () => {
      it('is refused with 488: a softphone without SRTP', async () => {
        const number = await stack.number();
        const record = await refusedCall(number, '488 Not Acceptable Here', { mediaEncryption: 'none' });
        expect(record).toMatchObject({
          outcome: 'refused',
          ended_by: 'edge',
          end_reason: 'refused_media',
          sip_status: 488,
          media: null,
          sip_call_ids: { agent: null },
        });
        expect(record.detail).toMatch(/SRTP|RTP\/AVP|RTP\/SAVP/);
        const [refusal] = messagesOf(record, { summary: '488 Not Acceptable Here' });
        expect(refusal).toMatch(/^Warning: 30\d \S+ ".+"\r?$/m);
      });

      it.each([
        ['plain RTP', agentDescription()],
        [
          'only other suites',
          trunkDescription({
            crypto: [
              `a=crypto:1 AES_CM_128_HMAC_SHA1_32 inline:${trunkKey}`,
              `a=crypto:2 AES_256_CM_HMAC_SHA1_80 inline:${Buffer.alloc(46, 3).toString('base64')}`,
            ],
          }),
        ],
        ['SAVP without a key', trunkDescription({ crypto: [] })],
        ['only a codec that is not enabled', trunkDescription({ formats: '18 101' })],
      ])('is refused with 488 and a Warning: %s', async (_what, body) => {
        const number = await stack.number();
        const refusal = await refusedOffer(number, body);
        expect(refusal.status).toBe(488);
        expect(refusal.headers.get('Warning')).toMatch(/^30\d \S+ ".+"$/);
        expect(await stack.recordOf(number)).toMatchObject({ end_reason: 'refused_media', media: null });
      });
    });

    describe('a number', () => {
      it('gets 404 when it is not configured', async () => {
        const record = await refusedCall('12025550199', '404 Not Found');
        expect(record).toMatchObject({ end_reason: 'refused_unknown_number', sip_status: 404, number: null });
        expect(record.detail).toMatch(/12025550199.*\/v1\/sip\/attach/);
      });

      it('is answered 403 when it names other sources, and the record says what to configure', async () => {
        const number = await stack.number({ inbound: { allowed_sources: ['192.0.2.0/24'] } });
        const record = await refusedCall(number, '403 Forbidden');
        expect(record).toMatchObject({ end_reason: 'refused_source', sip_status: 403, number });
        expect(record.detail).toContain('127.0.0.1');
        expect(record.detail).toContain('allowed_ips');
        expect(messagesOf(record).join('\n')).not.toContain('allowed_ips');
      });

      it('is answered 403 when it names no source at all, and the record says what to configure', async () => {
        const number = await stack.number({ inbound: { allowed_sources: [] } });
        const record = await refusedCall(number, '403 Forbidden');
        expect(record.end_reason).toBe('refused_source');
        expect(record.detail).toMatch(/DEMARC_SOURCE_POLICY|allowed_ips/);
      });

      it('admits the resolved addresses of its outbound servers', async () => {
        const number = await stack.number({
          inbound: { allowed_sources: [] },
          outbound: [{ id: 'pbx', host: 'localhost', port: 5061 }],
        });
        const phone = await stack.phone();
        await phone.dial(stack.uri(number));
        await phone.waitFor('CALL_ESTABLISHED', 20_000);
        await phone.hangup();
        expect((await stack.recordOf(number)).outcome).toBe('completed');
      });
    });

    describe('a caller who must give a password', () => {
      const password = 'right-Passw0rd';
      const guardedNumber = (): Promise<string> =>
        stack.number({
          inbound: {
            allowed_sources: [],
            credentials: [{ username: 'trunk', password: stack.seal(password) }],
          },
        });

      it('gets through with the right one', async () => {
        const number = await guardedNumber();
        const phone = await stack.phone({ credentials: { username: 'trunk', password } });
        await phone.dial(stack.uri(number));
        await phone.waitFor('CALL_ESTABLISHED', 20_000);
        await phone.hangup();
        const record = await stack.record(
          ({ outcome, to }) => outcome === 'completed' && to.includes(number),
        );
        expect(
          messagesOf(record).some((message) =>
            /^Authorization: Digest .*response="\[redacted\]"/m.test(message),
          ),
        ).toBe(true);
        const [, response] = /^Authorization: Digest .*response="([0-9a-f]{32})"/m.exec(phone.output) ?? [];
        expect(response).toBeDefined();
        expect(JSON.stringify(record)).not.toContain(response);
        expect(stack.logs).not.toContain(response);
        expect(stack.logs).not.toContain(password);
      });

      it('is refused with a wrong one', async () => {
        const number = await guardedNumber();
        const phone = await stack.phone({ credentials: { username: 'trunk', password: 'wrong' } });
        await phone.dial(stack.uri(number));
        await expect(phone.waitFor('CALL_ESTABLISHED', 20_000)).rejects.toThrow(CallClosed);
        const record = await stack.record(
          ({ to, trace }) =>
            to.includes(number) && trace.some(({ message }) => message.includes('Authorization: ')),
        );
        expect(record).toMatchObject({
          outcome: 'refused',
          end_reason: 'refused_credentials',
          sip_status: 401,
        });
      });

      it.each(['SHA-256', 'MD5'] as const)(
        'gets through with %s, once for each answer',
        async (algorithm) => {
          const number = await guardedNumber();
          const call = PeerCall.to(await stack.rawCaller(), number);
          const body = trunkDescription();
          await call.invite({ body });
          const challenge = await call.response(401);
          await call.ack(challenge.message);
          call.remoteTag = undefined;
          const authorization = answerTo(challenge.message, algorithm, call.target);
          await call.invite({ body, headers: { Authorization: authorization } });
          const ok = await call.response((status) => status >= 200);
          expect(ok.message.status).toBe(200);
          await call.ack(ok.message);
          await call.hangUp();

          const replay = PeerCall.to(call.peer, number);
          await replay.invite({ body, headers: { Authorization: authorization } });
          const refused = await replay.response((status) => status >= 200);
          await replay.ack(refused.message);
          expect(refused.message.status).toBe(401);
          expect(
            (await stack.record(({ outcome, to }) => outcome === 'completed' && to.includes(number))).number,
          ).toBe(number);
        },
      );

      function answerTo(challenged: SipResponse, algorithm: DigestAlgorithm, uri: string): string {
        const challenges = parseChallenges(challenged.headers.lines('WWW-Authenticate'));
        const challenge = challenges.find((each) => each.algorithm === algorithm);
        if (challenge === undefined) throw new Error(`No challenge with ${algorithm}.`);
        const { realm, nonce } = challenge;
        const fields = {
          algorithm,
          username: 'trunk',
          realm,
          nonce,
          uri,
          qop: 'auth',
          nc: '00000001',
          cnonce: 'c0ffee',
        };
        const response = digestResponse({ ...fields, password, method: 'INVITE' });
        return formatCredentials({ ...fields, scheme: 'Digest', response, userhash: false });
      }
    });
  });
}
