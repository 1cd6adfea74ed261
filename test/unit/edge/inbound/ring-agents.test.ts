import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Invitation } from '../../../../src/edge/inbound/agent-leg.js';
import { InboundCall } from '../../../../src/edge/inbound/inbound-call.js';
import { ringAgents } from '../../../../src/edge/inbound/ring-agents.js';
import type { OfferedDialog } from '../../../../src/edge/sip/messages.js';
import { CallDoubles, DialogDouble, invitation } from '../../../support/call-doubles.js';
import { numberDocument } from '../admission/request.js';

const agents = ['sip:one@192.0.2.1', 'sip:two@192.0.2.2', 'sip:three@192.0.2.3'];
const elsewhere = [{ Reason: 'SIP;cause=200;text="Call completed elsewhere"' }];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A caller whose call rings the agents; the test is the agents. @param isSent the INVITEs are on the wire */
function ringing(isSent = true) {
  const doubles = new CallDoubles();
  const { request, response, statuses } = invitation();
  const call = new InboundCall(doubles.deps, request, response);
  call.admit({ number: '14155550100', organization: 'acme', release: () => {} });
  const forwarded = vi.fn();
  call.onForwarded(forwarded);
  const with_ = {
    document: numberDocument(),
    inbound: {},
    mappings: [],
    offer: 'v=0\r\n',
    identity: { contactId: undefined, token: {} },
  } as unknown as Invitation;
  ringAgents(
    call,
    with_,
    agents.map((agentUri) => ({ agentUri, proxy: undefined })),
  );
  const { invites } = doubles.engine;
  if (isSent) for (const invite of invites) invite.send();
  /** The final response that the caller got. */
  const refusal = () => ({ status: call.state.sipStatus, reason: call.state.ending?.reason });
  return { call, invites, statuses, forwarded, refusal };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('agents that ring together', () => {
  it('get an INVITE each, with different Call-IDs, of which the first is the id of the call', () => {
    const { call, invites, forwarded } = ringing();
    expect(invites.map(({ uri }) => uri)).toEqual(agents);
    const callIds = invites.map(({ options }) => options.headers!['Call-ID']);
    expect(new Set(callIds).size).toBe(3);
    expect(call.state).toMatchObject({
      phase: 'inviting',
      agentUri: agents[0],
      agentSipCallId: call.state.id,
      otherAgentSipCallIds: callIds.slice(1),
    });
    expect(callIds[0]).toBe(call.state.id);
    expect(forwarded).toHaveBeenCalledTimes(1);
  });

  it('ring for the caller once, with the first 180 or 183', async () => {
    const { call, invites, statuses } = ringing();
    invites[1]!.respond(181);
    invites[1]!.respond(199);
    await settle();
    expect(statuses).toEqual([]);
    expect(call.state.phase).toBe('early');
    expect(call.state.deadline?.kind).toBe('agent_answer');
    invites[0]!.respond(183);
    invites[1]!.respond(180);
    await settle();
    expect(statuses).toEqual([180]);
  });

  it('must respond in time', () => {
    const { call } = ringing();
    expect(call.state.deadline?.kind).toBe('agent_response');
  });
});

describe('the first agent to answer', () => {
  it('gets the call, and the others CANCEL', () => {
    const { call, invites } = ringing();
    const dialog = new DialogDouble('winner');
    invites[1]!.accept(dialog.asDialog);
    expect(call.dialogs.agent).toBe(dialog);
    expect(call.state).toMatchObject({ agentUri: agents[1], deadline: null });
    expect(call.state.otherAgentSipCallIds).toContain(call.state.id);
    expect(call.state.otherAgentSipCallIds).not.toContain(call.state.agentSipCallId);
    expect(invites.map(({ cancels }) => cancels)).toEqual([elsewhere, [], elsewhere]);
    expect(call.agentInvite.isPending).toBe(false);
  });

  it('keeps it from an agent whose 200 crossed the CANCEL', () => {
    const { call, invites } = ringing();
    const [first, late] = [new DialogDouble('first'), new DialogDouble('late')];
    invites[1]!.accept(first.asDialog);
    invites[2]!.accept(late.asDialog);
    expect(late.byes).toEqual([{ headers: elsewhere[0] }]);
    expect(first.byes).toEqual([]);
    expect(call.dialogs.agent).toBe(first);
  });

  it('keeps it from a late agent whose dialog has ended, or waits for our ACK', () => {
    const { invites } = ringing();
    invites[1]!.accept(new DialogDouble('first').asDialog);
    const gone = new DialogDouble('gone');
    gone.connected = false;
    invites[0]!.accept(gone.asDialog);
    expect(gone.byes).toEqual([]);
    const destroy = vi.fn(async () => {});
    invites[2]!.accept({ sdp: 'v=0\r\n', destroy } as unknown as OfferedDialog as never);
    expect(destroy).toHaveBeenCalledWith();
  });

  it('cancels an INVITE that is not on the wire as soon as it is', () => {
    const { invites, forwarded } = ringing(false);
    expect(forwarded).not.toHaveBeenCalled();
    invites[0]!.accept(new DialogDouble().asDialog);
    expect(invites[1]!.cancels).toEqual([]);
    invites[1]!.send();
    expect(invites[1]!.cancels).toEqual(elsewhere);
  });

  it('has the rings and refusals of the others ignored', async () => {
    const { call, invites, statuses } = ringing();
    invites[0]!.accept(new DialogDouble().asDialog);
    invites[1]!.respond(180);
    invites[1]!.respond(486);
    invites[2]!.respond(603);
    expect(call.state.phase).toBe('inviting');
    expect(call.hasEnded).toBe(false);
    expect(statuses).toEqual([]);
  });
});

describe('agents that all refuse', () => {
  it('keep the call while one of them rings', () => {
    const { call, invites } = ringing();
    invites[0]!.respond(486);
    invites[1]!.respond(480);
    expect(call.hasEnded).toBe(false);
    invites[2]!.respond(404);
    expect(call.hasEnded).toBe(true);
  });

  it.each([
    ['6xx before 4xx', [486, 603, 404], 603, 1],
    ['4xx before 5xx', [500, 480, 503], 480, 1],
    ['the first among equals', [500, 486, 487], 486, 1],
    ['4xx before 3xx', [302, 301, 486], 486, 2],
  ])('give the caller the best refusal: %s', (_rule, statuses, best, agent) => {
    const { call, invites } = ringing();
    for (const [index, status] of statuses.entries()) invites[index]!.respond(status);
    expect(call.state.ending?.detail).toContain(String(best));
    expect(call.state.agentUri).toBe(agents[agent]);
    expect(call.state.ending?.by).toBe('agent');
  });

  it('give the caller an agent’s own response before one of the engine', () => {
    const { call, invites } = ringing();
    invites[0]!.expire(603);
    invites[1]!.fail(new Error('no such transport'));
    invites[2]!.respond(500);
    expect(call.state.ending).toMatchObject({ by: 'agent', detail: expect.stringContaining('500') });
    expect(call.state.agentUri).toBe(agents[2]);
  });

  it('let a call end as unreachable where the engine answered for all of them', () => {
    const { call, invites } = ringing();
    for (const invite of invites) invite.expire(408);
    expect(call.state.ending).toMatchObject({ by: 'edge', detail: expect.stringContaining(agents[0]!) });
  });
});

describe('a caller that hangs up while agents ring', () => {
  it('cancels those that have not refused, with its reason', async () => {
    const { call, invites } = ringing();
    invites[0]!.respond(486);
    call.agentInvite.cancel('SIP;cause=487');
    expect(invites.map(({ cancels }) => cancels)).toEqual([
      [],
      [{ Reason: 'SIP;cause=487' }],
      [{ Reason: 'SIP;cause=487' }],
    ]);
  });

  it('cancels an INVITE that goes out later, without naming another answer', () => {
    const { call, invites } = ringing(false);
    call.end({ reason: 'caller_cancelled', by: 'caller' });
    invites[0]!.send();
    expect(invites[0]!.cancels).toEqual([{}]);
  });

  it('ends the dialog of an agent whose 200 crossed it', () => {
    const { call, invites } = ringing();
    call.end({ reason: 'caller_cancelled', by: 'caller' });
    const dialog = new DialogDouble();
    invites[0]!.accept(dialog.asDialog);
    expect(dialog.byes).toEqual([{ headers: { Reason: 'SIP;cause=487;text="Cancelled"' } }]);
  });

  it('hears no ringing', async () => {
    const { call, invites, statuses } = ringing();
    call.end({ reason: 'caller_cancelled', by: 'caller' });
    invites[0]!.respond(180);
    await settle();
    expect(statuses).toEqual([]);
    expect(call.state.ringingAt).toBeNull();
  });
});
