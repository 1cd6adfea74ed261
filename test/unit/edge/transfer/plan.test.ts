import { describe, expect, it } from 'vitest';
import { numberDocumentSchema } from '../../../../src/contract/number.js';
import type { Call } from '../../../../src/edge/call/call.js';
import { planTransfer } from '../../../../src/edge/transfer/plan.js';
import type { ReferTarget } from '../../../../src/edge/transfer/refer-to.js';
import type { Transfer } from '../../../../src/edge/transfer/transfer.js';
import type { TransferDeps } from '../../../../src/edge/transfer/transfer-deps.js';

const document = numberDocumentSchema.parse({
  version: 1,
  number: '14155550100',
  organization: 'acme',
  updated_at: '2026-11-20T00:00:00Z',
  inbound: [{ id: 'in', allowed_sources: ['192.0.2.0/24'] }],
  outbound: [],
  codecs: {},
});

interface Leg {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
}

const leg = (name: string): Leg => ({
  callId: `${name}@pbx`,
  localTag: `${name}-ours`,
  remoteTag: `${name}-theirs`,
});

/** As much of a settled call as the search for a dialog reads. */
function settledCall(name: string, changes: Record<string, unknown> = {}): Call {
  return {
    state: { organization: 'acme', direction: 'inbound' },
    dialogs: {
      trunk: { sip: leg(`${name}-trunk`), connected: true },
      agent: { sip: leg(`${name}-agent`), connected: true },
    },
    media: { isAgreed: true },
    hasEnded: false,
    ...changes,
  } as unknown as Call;
}

const naming = ({ callId, localTag, remoteTag }: Leg): ReferTarget =>
  ({
    uri: {},
    text: '',
    replaces: { callId, toTag: localTag, fromTag: remoteTag },
  }) as unknown as ReferTarget;

/** The plan for a REFER of the first call's trunk side that names a dialog of another call. */
function plan(otherCall: Call, target: ReferTarget = naming(leg('other-trunk'))) {
  const call = settledCall('first');
  const calls = [call, otherCall];
  const deps = { table: { forEach: (act: (call: Call) => void) => calls.forEach(act) } };
  const transfer = { call, side: 'trunk' } as unknown as Transfer;
  return planTransfer(deps as unknown as TransferDeps, transfer, target, { document, isOwnNumber: false });
}

const refused = { status: 603, detail: 'Replaces matches no call of this transferor.' };

describe('an attended transfer', () => {
  it('joins two calls of one transferor', () => {
    expect(plan(settledCall('other'))).toMatchObject({ run: expect.any(Function) });
  });

  it('never joins a call of another organization', () => {
    const state = { organization: 'stranger', direction: 'inbound' };
    expect(plan(settledCall('other', { state }))).toEqual(refused);
  });

  it('needs a dialog on the side of the transferor', () => {
    expect(plan(settledCall('other'), naming(leg('other-agent')))).toEqual(refused);
  });

  it('does not join a call with itself', () => {
    expect(plan(settledCall('other'), naming(leg('first-trunk')))).toEqual(refused);
  });

  it.each([
    ['Call-ID', { callId: 'another@pbx' }],
    ['to-tag', { localTag: 'another' }],
    ['from-tag', { remoteTag: 'another' }],
  ])('needs the right %s', (_name, change) => {
    expect(plan(settledCall('other'), naming({ ...leg('other-trunk'), ...change }))).toEqual(refused);
  });

  it.each([
    ['has ended', { hasEnded: true }],
    ['has no agreed media', { media: { isAgreed: false } }],
    ['is being transferred', { transfer: {} }],
  ])('is refused while the other call %s', (_name, change) => {
    expect(plan(settledCall('other', change))).toEqual(refused);
  });
});
