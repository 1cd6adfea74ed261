import { describe, expect, it } from 'vitest';
import { heldCallSchema } from '../../../../src/contract/held-call.js';
import type { Call } from '../../../../src/edge/call/call.js';
import { describeCall } from '../../../../src/edge/call/held-call.js';
import { InboundCall } from '../../../../src/edge/inbound/inbound-call.js';
import { MediaSession } from '../../../../src/edge/media/media-session.js';
import type { RtpenginePool } from '../../../../src/edge/media/rtpengine-pool.js';
import { CallDoubles, DialogDouble, invitation } from '../../../support/call-doubles.js';

const codecs = { order: ['PCMU' as const], transcode: false };

function answered(): Call {
  const { deps } = new CallDoubles();
  const { request, response } = invitation();
  const call = new InboundCall(deps, request, response);
  call.identifyAgent({ agentUri: 'sip:agent@192.0.2.9', agentSipCallId: 'sip-2' });
  call.admit({ number: '12025550100', organization: 'acme', release: () => {} });
  call.useMedia(
    new MediaSession(call.state.id, { isSymmetric: () => false } as unknown as RtpenginePool, { codecs }),
  );
  call.invite();
  call.ring();
  call.describeSide('trunk', { remote: 'v=0 theirs', local: 'v=0 ours' });
  for (const side of ['trunk', 'agent'] as const) call.setDialog(side, new DialogDouble(side).asDialog);
  call.setSession('trunk', { seconds: 1_800, isOurs: true });
  call.answer();
  call.setDeadline('maximum_duration', 3_600, () => {});
  return call;
}

/** As it would be read from Redis. */
const written = (call: Call) => heldCallSchema.parse(JSON.parse(JSON.stringify(describeCall(call))));

describe('a held call', () => {
  it('is written as its schema has it, in every phase that outlives a process', () => {
    const call = answered();
    expect(written(call)).toMatchObject({
      phase: 'answered',
      legs: {
        trunk: {
          owes_ack: true,
          session_timer: { seconds: 1_800, is_ours: true },
          remote_description: 'v=0 theirs',
          local_description: 'v=0 ours',
        },
        agent: { owes_ack: false, session_timer: null },
      },
      media: { sides: { trunk: { profile: 'RTP/SAVP' }, agent: { profile: 'RTP/AVP' } } },
      deadline: { kind: 'maximum_duration' },
    });
    call.acknowledge();
    call.confirm();
    expect(written(call)).toMatchObject({ phase: 'confirmed', legs: { trunk: { owes_ack: false } } });
  });

  it('says while an offer is open, a transfer runs, or a side has been replaced', () => {
    const call = answered();
    const close = call.exchange.modify();
    call.beginTransfer({
      description: null,
      owedNotify: null,
      mediaId: null,
      partyLeft: () => true,
      callEnded: async () => {},
      connectionLost: () => {},
    });
    expect(written(call)).toMatchObject({ is_modifying: true, is_transferring: true });
    close();
    call.endTransfer();
    call.replaceParty('trunk', new DialogDouble('other').asDialog, undefined);
    expect(written(call)).toMatchObject({
      is_modifying: false,
      is_transferring: false,
      legs: { trunk: { dialog_id: 'other', is_new_party: true, session_timer: null } },
    });
  });

  it('does not change while the call continues', () => {
    const call = answered();
    const document = describeCall(call);
    const before = JSON.stringify(document);
    call.describeSide('trunk', { remote: 'v=0 later' });
    call.noteSipCallId('later');
    call.locateTrunk({ address: '192.0.2.77', port: 1, protocol: 'udp' });
    expect(JSON.stringify(document)).toBe(before);
  });

  it('is nothing before the answer and after the end', () => {
    const { deps } = new CallDoubles();
    const { request, response } = invitation();
    expect(describeCall(new InboundCall(deps, request, response))).toBeUndefined();
    const call = answered();
    call.end({ reason: 'caller_hung_up', by: 'caller' });
    expect(describeCall(call)).toBeUndefined();
  });
});
