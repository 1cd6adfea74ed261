import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Baresip, CallClosed } from '../../../dev/softphone/baresip.js';
import type { CallRecord } from '../../../src/contract/call-record.js';
import { until } from '../../../src/testkit/waiting.js';
import { drachtioDiffers } from '../../support/drachtio-server.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { secondsHeard, waitForTone } from '../hearing.js';
import { agentAddress, agentToneHertz, edgeAddress, phoneToneHertz, type Stack } from '../stack.js';
import { messagesOf, withoutRepetitions } from '../traces.js';

let stack: Stack;

/** What crossed the wire on one leg, in order, without repetitions of the same message. */
function ladder(record: CallRecord, leg: 'trunk' | 'agent'): string[] {
  const messages = withoutRepetitions(record.trace).filter((entry) => entry.leg === leg);
  return messages.map(
    ({ summary, direction }) => `${direction === 'received' ? 'from' : 'to'} peer: ${summary}`,
  );
}

export function endingsOfCalls(stage: () => Stack): void {
  describe('the end of a call', () => {
    beforeAll(() => {
      stack = stage();
    });

    afterEach(() => stack.endTest());

    describe('a call that was answered', () => {
      it('is ended by the phone, and the record has every message', async () => {
        const number = await stack.number();
        const phone = await stack.phone();
        await phone.dial(stack.uri(number));
        await phone.waitFor('CALL_ESTABLISHED', 20_000);
        await waitForTone(phone, agentToneHertz, 0.3);
        await phone.hangup();
        const record = await stack.recordOf(number);
        expect(record).toMatchObject({
          outcome: 'completed',
          ended_by: 'caller',
          end_reason: 'caller_hung_up',
          sip_status: 200,
          sip_reason: 'OK',
          organization: 'acme',
          number,
          trace_truncated: false,
        });
        expect(ladder(record, 'trunk')).toEqual([
          'from peer: INVITE',
          'to peer: 100 Trying',
          'to peer: 180 Ringing',
          'to peer: 200 OK',
          'from peer: ACK',
          'from peer: BYE',
          'to peer: 200 OK',
        ]);
        expect(ladder(record, 'agent')).toEqual([
          'to peer: INVITE',
          'from peer: 100 Trying',
          'from peer: 180 Ringing',
          'from peer: 200 OK',
          'to peer: ACK',
          'to peer: BYE',
          'from peer: 200 OK',
        ]);
        expect(record.trace.filter(({ leg }) => leg === 'unknown')).toEqual([]);
        const [started, ringing, answered, ended] = [
          record.started_at,
          record.ringing_at,
          record.answered_at,
          record.ended_at,
        ].map((time) => Date.parse(time ?? ''));
        expect(started).toBeLessThanOrEqual(ringing!);
        expect(ringing).toBeLessThanOrEqual(answered!);
        expect(answered).toBeLessThan(ended!);
        expect(Math.abs(ended! - answered! - record.duration_milliseconds)).toBeLessThan(1_000);
      });

      it('is ended by the agent', async () => {
        const number = await stack.number({ behaviour: 'hangup-1' });
        const phone = await stack.phone();
        await phone.dial(stack.uri(number));
        await phone.waitFor('CALL_ESTABLISHED', 20_000);
        await phone.waitFor('CALL_CLOSED', 20_000);
        const record = await stack.recordOf(number);
        expect(record).toMatchObject({
          outcome: 'completed',
          ended_by: 'agent',
          end_reason: 'agent_hung_up',
          sip_status: 200,
        });
        expect(ladder(record, 'trunk').slice(-2)).toEqual(['to peer: BYE', 'from peer: 200 OK']);
        expect(ladder(record, 'agent').slice(-2)).toEqual(['from peer: BYE', 'to peer: 200 OK']);
      });

      it('gives early media before, with what the agent plays', async () => {
        const number = await stack.number({ behaviour: 'early' });
        const phone = await stack.phone();
        await phone.dial(stack.uri(number));
        // The agent plays its tone before it answers, and never afterwards.
        await waitForTone(phone, agentToneHertz, 0.2);
        await phone.waitFor('CALL_ESTABLISHED', 20_000);
        await waitForTone(phone, phoneToneHertz, 0.2);
        await phone.hangup();
        const record = await stack.recordOf(number);
        expect(ladder(record, 'trunk').some((line) => line.startsWith('to peer: 183 '))).toBe(true);
      });
    });

    describe('a call that was not answered', () => {
      it('is cancelled by the phone, and the agent stops ringing', async () => {
        const number = await stack.number({ behaviour: 'ring' });
        const phone = await stack.phone();
        await phone.dial(stack.uri(number));
        await phone.waitFor('CALL_RINGING', 20_000);
        await phone.hangup();
        const record = await stack.recordOf(number);
        expect(record).toMatchObject({
          outcome: 'cancelled',
          ended_by: 'caller',
          end_reason: 'caller_cancelled',
          sip_status: 487,
          answered_at: null,
          duration_milliseconds: 0,
        });
        expect(ladder(record, 'trunk').toSorted()).toEqual(
          [
            'from peer: INVITE',
            'to peer: 100 Trying',
            'to peer: 180 Ringing',
            'from peer: CANCEL',
            'to peer: 200 OK',
            'to peer: 487 Request Terminated',
            'from peer: ACK',
          ].toSorted(),
        );
        expect(ladder(record, 'agent').toSorted()).toEqual(
          [
            'to peer: INVITE',
            'from peer: 100 Trying',
            'from peer: 180 Ringing',
            'to peer: CANCEL',
            'from peer: 200 OK',
            'from peer: 487 Request Terminated',
            'to peer: ACK',
          ].toSorted(),
        );
      });

      it.each([
        { behaviour: 'busy', status: 486, reason: 'Busy Here' },
        { behaviour: 'reject-603', status: 603, reason: 'Decline' },
      ])(
        'is refused with the status and reason of an agent that is $behaviour',
        async ({ behaviour, status, reason }) => {
          const number = await stack.number({ behaviour });
          const phone = await stack.phone();
          await phone.dial(stack.uri(number));
          await expect(phone.waitFor('CALL_ESTABLISHED', 20_000)).rejects.toThrow(
            new CallClosed(`${status} ${reason}`),
          );
          const record = await stack.recordOf(number);
          expect(record).toMatchObject({
            outcome: 'refused',
            ended_by: 'agent',
            end_reason: 'agent_refused',
            sip_status: status,
            sip_reason: reason,
          });
          expect(ladder(record, 'trunk').slice(-2)).toEqual([
            `to peer: ${status} ${reason}`,
            'from peer: ACK',
          ]);
          const [final] = messagesOf(record, { leg: 'trunk', summary: `${status} ${reason}` });
          expect(final).toMatch(new RegExp(`^Reason: .*cause=${status}`, 'm'));
        },
      );
    });

    describe('a phone that loses power', () => {
      it('during the call: silence ends it, and the agent gets a BYE', async () => {
        const number = await stack.number();
        const phone = await stack.phone();
        await phone.dial(stack.uri(number));
        await phone.waitFor('CALL_ESTABLISHED', 20_000);
        await waitForTone(phone, agentToneHertz, 0.2);
        await phone.crash();
        const record = await stack.recordOf(number);
        expect(record).toMatchObject({ end_reason: 'media_timeout', ended_by: 'edge', sip_status: 200 });
        expect(ladder(record, 'agent').slice(-2)).toEqual(['to peer: BYE', 'from peer: 200 OK']);
      });

      it('while the agent rings: the agent stops ringing', async () => {
        const number = await stack.number({ behaviour: 'slow-15' });
        const phone = await stack.phone();
        await phone.dial(stack.uri(number));
        await phone.waitFor('CALL_RINGING', 20_000);
        await phone.crash();
        const record = await stack.recordOf(number);
        expect(record).toMatchObject({
          outcome: 'cancelled',
          end_reason: 'caller_cancelled',
          answered_at: null,
        });
        if (
          drachtioDiffers(
            'it does not tell that the connection of an unanswered INVITE is lost; the 200 fails.',
          )
        ) {
          expect(ladder(record, 'agent').slice(-2)).toEqual(['to peer: BYE', 'from peer: 200 OK']);
          return;
        }
        expect(record.detail).toContain('Connection lost');
        expect(ladder(record, 'agent').slice(-4)).toContain('to peer: CANCEL');
      });
    });

    describe('an agent that dies', () => {
      it.each(['SIGKILL', 'SIGSTOP'] as const)(
        'by %s lets its callers go within 15 s; they hear why',
        async (signal) => {
          const numbers = [await stack.number(), await stack.number()];
          const phones: Baresip[] = [];
          for (const number of numbers) {
            const phone = await stack.phone();
            await phone.dial(stack.uri(number));
            await phone.waitFor('CALL_ESTABLISHED', 20_000);
            phones.push(phone);
          }
          await waitForTone(phones[0]!, agentToneHertz, 0.2);
          const watch = Stopwatch.start();
          stack.agent.signal(signal);
          await Promise.all(phones.map((phone) => phone.waitFor('CALL_CLOSED', 20_000)));
          // The chime included, which lasts 2.2 s.
          expect(watch.milliseconds).toBeLessThan(watch.bound(17_500));
          // A note of the chime.
          expect(secondsHeard(phones[0]!, 659)).toBeGreaterThan(0.2);
          for (const number of numbers) {
            expect(await stack.recordOf(number)).toMatchObject({
              outcome: 'completed',
              ended_by: 'edge',
              end_reason: 'agent_lost',
            });
          }
          stack.agent.signal('SIGCONT');
          await stack.agent.stop();
          await stack.startAgent();
        },
        60_000,
      );
    });

    describe('what the peers see', () => {
      it('holds no key, neither in the record nor in any log', async () => {
        const number = await stack.number({ codecs: { order: ['opus', 'PCMU'], transcode: true } });
        const phone = await stack.phone({ codecs: ['opus/48000/2'] });
        await phone.dial(stack.uri(number));
        await phone.waitFor('CALL_ESTABLISHED', 20_000);
        await phone.hangup();
        const record = await stack.recordOf(number);
        const keys = [...phone.output.matchAll(/inline:([A-Za-z0-9+/=]{20,})/g)].map(([, key]) => key!);
        expect(new Set(keys).size).toBe(2);
        const text = JSON.stringify(record);
        for (const key of keys) {
          expect(text).not.toContain(key);
          expect(stack.logs).not.toContain(key);
        }
        expect(text).toContain('inline:[redacted]');
        expect(stack.logs).not.toContain('inline:');
      });

      it('holds nothing of the private side on the trunk', async () => {
        const number = await stack.number();
        const phone = await stack.phone();
        await phone.dial(stack.uri(number));
        await phone.waitFor('CALL_ESTABLISHED', 20_000);
        await phone.hold();
        await until(
          () => phone.trace.filter(({ status }) => status === 200).length >= 2,
          20_000,
          'hold answered',
        );
        await phone.hangup();
        const record = await stack.recordOf(number);
        const agentLeg = messagesOf(record, { leg: 'agent' }).join('\n');
        expect(agentLeg).toContain(agentAddress);
        expect(agentLeg).toContain(edgeAddress);
        const trunkLeg = messagesOf(record, { leg: 'trunk' });
        expect(trunkLeg.length).toBeGreaterThan(8);
        for (const message of trunkLeg) {
          for (const secret of [
            agentAddress,
            edgeAddress,
            record.sip_call_ids.agent!,
            record.call_id,
            'demo agent',
          ]) {
            expect(message).not.toContain(secret);
          }
        }
      });
    });
  });
}
