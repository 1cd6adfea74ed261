import { describe, expect, it } from 'vitest';
import type { Call } from '../../../../src/edge/call/call.js';
import type { EndOptions, OngoingTransfer } from '../../../../src/edge/call/call-events.js';
import {
  type CallPhase,
  CallStateError,
  callPhases,
  predecessors,
} from '../../../../src/edge/call/call-phase.js';
import { tearDown } from '../../../../src/edge/call/tear-down.js';
import { sendAnswer } from '../../../../src/edge/inbound/answer.js';
import { InboundCall } from '../../../../src/edge/inbound/inbound-call.js';
import { CallDoubles, DialogDouble, invitation } from '../../../support/call-doubles.js';

const hangUp = { reason: 'caller_hung_up', by: 'caller' } as const;

function begin() {
  const doubles = new CallDoubles();
  const invite = invitation();
  const call = new InboundCall(doubles.deps, invite.request, invite.response);
  const ends: EndOptions[] = [];
  const ended = (_call: Call, options: EndOptions): void => {
    ends.push(options);
    void tearDown(call, options);
  };
  call.observer = { ...call.observer, ended };
  return { call, ends, invite, ...doubles, errors: doubles.errors, sending: doubles.sending };
}

const released: string[] = [];
const grant = { number: '12025550100', organization: 'acme', release: () => released.push('slot') };

/** The event that leads into each phase. */
const events: Readonly<Record<Exclude<CallPhase, 'offered'>, (call: Call) => void>> = {
  admitted: (call) => call.admit(grant),
  inviting: (call) => call.invite(),
  early: (call) => call.ring(),
  answered: (call) => call.answer(),
  confirmed: (call) => call.confirm(),
  ending: (call) => call.end(hangUp),
  ended: (call) => call.close(),
};

/** The shortest way from `offered`. */
const ways: Readonly<Record<CallPhase, readonly (keyof typeof events)[]>> = {
  offered: [],
  admitted: ['admitted'],
  inviting: ['admitted', 'inviting'],
  early: ['admitted', 'inviting', 'early'],
  answered: ['admitted', 'inviting', 'early', 'answered'],
  confirmed: ['admitted', 'inviting', 'early', 'answered', 'confirmed'],
  ending: ['ending'],
  ended: ['ending', 'ended'],
};

/** Repetitions that are no error: another server is tried, a phone rings on, two causes end a call. */
const ignored = new Set([
  'inviting>inviting',
  'early>inviting',
  'early>early',
  'answered>early',
  'confirmed>early',
  'ending>ending',
  'ended>ending',
]);

describe('the phases of a call', () => {
  for (const from of callPhases) {
    for (const to of callPhases) {
      if (to === 'offered') continue;
      const isLegal = predecessors[to].includes(from);
      const isIgnored = ignored.has(`${from}>${to}`);
      const verdict = isLegal ? 'goes' : isIgnored ? 'stays, without error,' : 'must not go';
      it(`${verdict} from ${from} to ${to}`, () => {
        const { call, errors } = begin();
        for (const phase of ways[from]) events[phase](call);
        expect(call.state.phase).toBe(from);
        expect(errors).toEqual([]);
        const before = { ...call.state };
        events[to](call);
        expect(call.state.phase).toBe(isLegal ? to : from);
        expect(errors).toHaveLength(isLegal || isIgnored ? 0 : 1);
        if (!isLegal) expect(call.state).toEqual(before);
      });
    }
  }

  it('name the call, and both phases, when an event is illegal', () => {
    const { call, errors } = begin();
    call.confirm();
    expect(errors[0]).toBeInstanceOf(CallStateError);
    expect(errors[0]).toMatchObject({ callId: call.state.id, from: 'offered', to: 'confirmed' });
  });

  it('are reached once: the first of two endings counts, and its slot is given back once', () => {
    const { call, ends } = begin();
    call.admit(grant);
    released.length = 0;
    call.end(hangUp, { reason: 'first' });
    call.end({ reason: 'agent_hung_up', by: 'agent' }, { reason: 'second' });
    expect(call.state.ending).toEqual(hangUp);
    expect(ends.map(({ reason }) => reason)).toEqual(['first']);
    expect(released).toEqual(['slot']);
  });

  it('give a slot back at once that comes after the end', () => {
    const { call } = begin();
    call.end(hangUp);
    released.length = 0;
    call.holdSlot(() => released.push('late'));
    expect(released).toEqual(['late']);
  });

  it('let one transfer run at a time, in an answered call', () => {
    const { call } = begin();
    const transfer: OngoingTransfer = {
      description: null,
      owedNotify: null,
      mediaId: null,
      partyLeft: () => false,
      callEnded: async () => {},
      connectionLost: () => {},
    };
    expect(() => call.beginTransfer(transfer)).toThrow(CallStateError);
    for (const phase of ways.answered) events[phase](call);
    call.beginTransfer(transfer);
    expect(() => call.beginTransfer({ ...transfer })).toThrow(CallStateError);
    expect(call.transfer).toBe(transfer);
    call.endTransfer();
    call.beginTransfer(transfer);
  });

  it('keep offer/answer exchanges apart: one that closes leaves the other open', () => {
    const { call } = begin();
    const ours = call.exchange.begin();
    const peerOffer = call.exchange.modify();
    ours();
    ours();
    expect(call.exchange.isOpen).toBe(true);
    peerOffer();
    expect(call.exchange.isOpen).toBe(false);
  });

  it('run a deadline once, and none that was cleared', () => {
    const { call } = begin();
    let due = 0;
    call.setDeadline('agent_answer', 1, () => due++);
    expect(call.state.deadline).toMatchObject({ kind: 'agent_answer' });
    call.checkDeadline(performance.now());
    expect(due).toBe(0);
    call.checkDeadline(performance.now() + 1_001);
    call.checkDeadline(performance.now() + 2_000);
    expect(due).toBe(1);
    expect(call.state.deadline).toBeNull();
    call.setDeadline('agent_answer', 1, () => due++);
    call.end(hangUp);
    call.checkDeadline(performance.now() + 5_000);
    expect(due).toBe(1);
  });
});

describe('races at the answer', () => {
  it('CANCEL before the 200 is out: the dialog that appears all the same is hung up on after its ACK', async () => {
    const { call, sending, errors } = begin();
    call.admit(grant);
    call.invite();
    let established = false;
    await sendAnswer(call, 'v=0', () => {
      established = true;
    });
    call.end({ reason: 'caller_cancelled', by: 'caller' });
    const dialog = new DialogDouble();
    sending[0]!(null, dialog.asDialog);
    expect(established).toBe(false);
    expect(errors).toEqual([]);
    expect(call.state.answeredAt).toBeNull();
    expect(dialog.byes).toEqual([]);
    dialog.emit('ack');
    expect(dialog.byes).toHaveLength(1);
  });

  it('CANCEL before the 200: nothing is answered', async () => {
    const { call, sending, invite } = begin();
    call.admit(grant);
    call.invite();
    call.end({ reason: 'caller_cancelled', by: 'caller' });
    await sendAnswer(call, 'v=0', () => {});
    expect(sending).toEqual([]);
    expect(call.state.sipStatus).toBe(487);
    expect(invite.statuses).toEqual([]);
  });

  it('BYE of the agent before the ACK: the caller gets its BYE after the ACK', async () => {
    const { call, sending, errors } = begin();
    call.admit(grant);
    call.invite();
    await sendAnswer(call, 'v=0', () => {});
    const dialog = new DialogDouble();
    sending[0]!(null, dialog.asDialog);
    expect(call.state.phase).toBe('answered');
    call.end(hangUp);
    await null;
    expect(dialog.byes).toEqual([]);
    dialog.emit('ack');
    await null;
    expect(dialog.byes).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it('BYE of the agent after the ACK', async () => {
    const { call, sending } = begin();
    call.admit(grant);
    call.invite();
    await sendAnswer(call, 'v=0', () => {});
    const dialog = new DialogDouble();
    sending[0]!(null, dialog.asDialog);
    dialog.emit('ack');
    call.end(hangUp);
    await null;
    expect(dialog.byes).toHaveLength(1);
  });
});
