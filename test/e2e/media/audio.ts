import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Baresip, BaresipCodec } from '../../../dev/softphone/baresip.js';
import type { NgReply } from '../../../src/edge/media/ng-client.js';
import { packetsFrom, readStatistics } from '../../../src/edge/media/rtp-statistics.js';
import { until } from '../../../src/testkit/waiting.js';
import { stays } from '../../support/stays.js';
import { secondsHeard, waitForAudioBothWays, waitForTone } from '../hearing.js';
import { agentToneHertz, phoneToneHertz, type Stack } from '../stack.js';
import { directionsOf, messagesOf } from '../traces.js';

let stack: Stack;

const sixDescriptions = ['sendrecv', 'sendrecv', 'sendonly', 'recvonly', 'sendrecv', 'sendrecv'].map(
  (each) => [each],
);

/** The DTMF digits that the other leg sent, as the phone reports them. */
const keysReceived = (phone: Baresip): string =>
  phone.seen
    .filter(({ type }) => type === 'CALL_DTMF_START')
    .map(({ param }) => param)
    .join('');

export function audioOfCalls(stage: () => Stack): void {
  describe('the audio of a call', () => {
    beforeAll(() => {
      stack = stage();
    });

    afterEach(() => stack.endTest());

    describe('a softphone over TLS with mandatory SRTP', () => {
      it.each([
        { codec: 'PCMU/8000/1', name: 'PCMU', agent: 'PCMU', transcode: false },
        { codec: 'PCMA/8000/1', name: 'PCMA', agent: 'PCMA', transcode: false },
        { codec: 'opus/48000/2', name: 'opus', agent: 'PCMU', transcode: true },
        { codec: 'G722/16000/1', name: 'G722', agent: 'PCMU', transcode: true },
      ] as const)('hears and is heard with $name', async ({ codec, name, agent, transcode }) => {
        const number = await stack.number({ codecs: { order: [name, 'PCMU'], transcode } });
        const phone = await stack.phone({ codecs: [codec satisfies BaresipCodec] });
        await phone.dial(stack.uri(number));
        await phone.waitFor('CALL_ESTABLISHED', 20_000);
        const encryption = await phone.waitFor('CALL_MENC', 20_000);
        expect(encryption.param).toContain('AES_CM_128_HMAC_SHA1_80');
        await waitForTone(phone, agentToneHertz, 0.1);
        const [session] = await stack.rtpengines[0]!.sessions();
        const atFirst = readStatistics(await stack.rtpengines[0]!.command('query', { 'call-id': session }));
        await waitForAudioBothWays(phone);
        await phone.hangup();
        const record = await stack.recordOf(number);
        expect(record).toMatchObject({
          outcome: 'completed',
          sip_status: 200,
          ended_by: 'caller',
          end_reason: 'caller_hung_up',
          media: { trunk_codec: name, agent_codec: agent, srtp_suite: 'AES_CM_128_HMAC_SHA1_80' },
        });
        expect(record.media?.trunk?.packets_received).toBeGreaterThan(20);
        expect(record.media?.agent?.packets_received).toBeGreaterThan(20);
        // The agent speaks with its 200, before the trunk's keys are known: those packets cannot be sent on, but all later ones.
        expect(record.media!.trunk!.errors - (atFirst.trunk?.errors ?? 0)).toBeLessThan(10);
      });
    });

    describe('a softphone that holds', () => {
      it('is signalled to the agent, is not cut off, gets audio again after resuming, and its record has the quality', async () => {
        const number = await stack.number();
        const phone = await stack.phone();
        await phone.dial(stack.uri(number));
        await phone.waitFor('CALL_ESTABLISHED', 20_000);
        await waitForTone(phone, phoneToneHertz, 0.4);
        const [session] = await stack.rtpengines[0]!.sessions();
        const query = (): Promise<NgReply> => stack.rtpengines[0]!.command('query', { 'call-id': session });
        const packets = async (): Promise<{ trunk: number; agent: number }> => {
          const reply = await query();
          return { trunk: packetsFrom(reply, 'trunk') ?? 0, agent: packetsFrom(reply, 'agent') ?? 0 };
        };
        await phone.hold();
        // Longer than the media timeout: a held call is silent and lives on.
        await stays(() => expect(phone.seen.some(({ type }) => type === 'CALL_CLOSED')).toBe(false), 6_000);
        const held = await packets();
        await phone.resume();
        // By rtpengine's count: this phone stops recording after a hold, though it receives and decrypts all packets.
        await until(
          async () => {
            const now = await packets();
            return now.trunk > held.trunk + 50 && now.agent > held.agent + 50;
          },
          20_000,
          'packets both ways after the resume',
        );
        await until(
          async () => {
            const { trunk, agent } = readStatistics(await query());
            return [trunk, agent].every(
              (side) => side?.mos !== undefined && side.round_trip_milliseconds !== undefined,
            );
          },
          // The phone, which said nothing while it held, reports after 10 s, the agent 6 s later at the latest.
          30_000,
          'RTCP reports of both ends',
        );
        const atEnd = await packets();
        await phone.hangup();
        await until(() => phone.packets.received > 0, 20_000, 'the counts that the phone prints at the end');
        // Most of what rtpengine sent on since the resume: what is on its way at the end is not counted.
        expect(phone.packets.received).toBeGreaterThan((held.agent + atEnd.agent) / 2);
        const record = await stack.recordOf(number);
        expect(record).toMatchObject({ outcome: 'completed', end_reason: 'caller_hung_up' });
        expect(record.duration_milliseconds).toBeGreaterThan(6_000);
        for (const side of [record.media?.trunk, record.media?.agent]) {
          // A machine that stands still for a moment is heard; these are the units, and the order of size.
          expect(side!.packets_lost).toBeLessThan(side!.packets_received / 5);
          expect(side!.jitter_milliseconds).toBeLessThan(1_000);
          expect(side!.round_trip_milliseconds).toBeGreaterThan(0);
          expect(side!.round_trip_milliseconds).toBeLessThan(3_000);
          expect(side!.mos).toBeGreaterThan(1);
          expect(side!.mos).toBeLessThan(4.6);
        }
        const directions = (leg: 'trunk' | 'agent'): string[][] =>
          messagesOf(record, { leg, method: 'INVITE' })
            .map(directionsOf)
            .filter(({ length }) => length > 0);
        // Offer and answer of call, hold and resume.
        expect(directions('trunk')).toEqual(sixDescriptions);
        expect(directions('agent')).toEqual(sixDescriptions);
      });
    });

    describe('keys pressed on a softphone', () => {
      it('reach the agent as RFC 4733 events and come back from it, between the same audio', async () => {
        const number = await stack.number();
        const phone = await stack.phone();
        await phone.dial(stack.uri(number));
        await phone.waitFor('CALL_ESTABLISHED', 20_000);
        await waitForTone(phone, phoneToneHertz, 0.2);
        await phone.sendDtmf('159#');
        await until(
          () => keysReceived(phone) === '159#',
          20_000,
          () => `keys came back: ${keysReceived(phone)}`,
        );
        const before = secondsHeard(phone, phoneToneHertz);
        await until(() => secondsHeard(phone, phoneToneHertz) > before + 0.2, 20_000, 'audio after the keys');
        await phone.hangup();
        const record = await stack.recordOf(number);
        for (const leg of ['trunk', 'agent'] as const) {
          const described = messagesOf(record, { leg, method: 'INVITE' }).filter((message) =>
            message.includes('m=audio'),
          );
          expect(described).toHaveLength(2);
          for (const message of described) expect(message).toMatch(/a=rtpmap:\d+ telephone-event\/8000/);
        }
      });
    });
  });
}
