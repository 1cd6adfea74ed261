import { describe, expect, it } from 'vitest';
import { CallTable } from '../../../../src/edge/call/call-table.js';
import { established } from '../../../../src/edge/call/established.js';
import { attachInDialog } from '../../../../src/edge/call/in-dialog.js';
import { InboundCall } from '../../../../src/edge/inbound/inbound-call.js';
import { MediaSession } from '../../../../src/edge/media/media-session.js';
import type { RtpenginePool } from '../../../../src/edge/media/rtpengine-pool.js';
import type { ResponseSender } from '../../../../src/edge/sip/messages.js';
import { CallDoubles, DialogDouble, invitation } from '../../../support/call-doubles.js';

function answeredCall() {
  const doubles = new CallDoubles();
  const { request, response, statuses } = invitation();
  const call = new InboundCall(doubles.deps, request, response);
  const codecs = { order: ['PCMU' as const], transcode: false };
  call.useMedia(
    new MediaSession(call.state.id, { isSymmetric: () => false } as unknown as RtpenginePool, { codecs }),
  );
  call.admit({ number: '1', organization: 'acme', release: () => {} });
  const trunk = new DialogDouble('trunk');
  call.setDialog('trunk', trunk.asDialog);
  call.setDialog('agent', new DialogDouble('agent').asDialog);
  call.answer();
  return { doubles, call, trunk, statuses };
}

const fault = (): never => {
  throw new Error('Something is wrong.');
};

describe('an exception in the code of an answered call ends that call', () => {
  it('when it begins its watches', async () => {
    const { doubles, call } = answeredCall();
    Object.assign(doubles.deps, { watch: { watch: fault } });
    established(call);
    call.acknowledge();
    await Promise.resolve();
    await Promise.resolve();
    expect(call.state.ending).toMatchObject({ reason: 'internal_error', by: 'edge' });
  });

  it('in a request of a peer, which gets 500', () => {
    const { doubles, call, trunk } = answeredCall();
    attachInDialog(call, 'trunk', trunk.asDialog);
    Object.assign(doubles.deps, { transfers: { refer: fault } });
    const sent: number[] = [];
    const response = { finalResponseSent: false, send: (status: number) => sent.push(status) };
    trunk.emit('refer', {}, response as unknown as ResponseSender);
    expect(sent).toEqual([500]);
    expect(call.state.ending).toMatchObject({ reason: 'internal_error' });
  });

  it('at its deadline', async () => {
    const { call } = answeredCall();
    const table = new CallTable();
    table.add(call);
    call.noteRefusal({ isUnrecorded: true });
    call.setDeadline('maximum_duration', 0, fault);
    await expect
      .poll(() => call.state.ending, { timeout: 3_000 })
      .toMatchObject({ reason: 'internal_error' });
  });
});
