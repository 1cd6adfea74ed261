import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bye, tearDown } from '../../../../src/edge/call/tear-down.js';
import { InboundCall } from '../../../../src/edge/inbound/inbound-call.js';
import type { OfferedDialog } from '../../../../src/edge/sip/messages.js';
import { CallDoubles, DialogDouble, invitation } from '../../../support/call-doubles.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A call whose legs are up as the test says. */
function callWith(...sides: readonly ('trunk' | 'agent')[]) {
  const doubles = new CallDoubles();
  const { request, response } = invitation();
  const call = new InboundCall(doubles.deps, request, response);
  call.admit({ number: '1', organization: 'acme', release: () => {} });
  call.invite();
  const dialogs = { trunk: new DialogDouble('trunk'), agent: new DialogDouble('agent') };
  for (const side of sides) call.setDialog(side, dialogs[side].asDialog);
  return { call, dialogs, engine: doubles.engine };
}

/** Whether it is over after so many milliseconds. */
async function isOver(work: Promise<unknown>, milliseconds = 0): Promise<boolean> {
  let is = false;
  void work.then(() => {
    is = true;
  });
  await vi.advanceTimersByTimeAsync(milliseconds);
  return is;
}

describe('the end of a call', () => {
  it('sends BYE to both legs, with the reason, and headers for the trunk alone', async () => {
    const { call, dialogs } = callWith('trunk', 'agent');
    call.acknowledge();
    const options = { reason: 'SIP;cause=200', trunkHeaders: { 'X-A': '1' } };
    expect(await isOver(tearDown(call, options))).toBe(true);
    expect(dialogs.agent.byes).toEqual([{ headers: { Reason: 'SIP;cause=200' } }]);
    expect(dialogs.trunk.byes).toEqual([{ headers: { 'X-A': '1', Reason: 'SIP;cause=200' } }]);
  });

  it('sends no BYE before the ACK, and waits 2 s for it', async () => {
    const { call, dialogs } = callWith('trunk', 'agent');
    const done = tearDown(call, {});
    expect(await isOver(done, 1_900)).toBe(false);
    expect(dialogs.trunk.byes).toEqual([]);
    expect(dialogs.agent.byes).toHaveLength(1);
    expect(await isOver(done, 200)).toBe(true);
    call.acknowledge();
    await vi.advanceTimersByTimeAsync(0);
    expect(dialogs.trunk.byes).toEqual([{ headers: {} }]);
  });

  it('sends nothing to legs that have ended', async () => {
    const { call, dialogs } = callWith('trunk', 'agent');
    for (const dialog of Object.values(dialogs)) dialog.connected = false;
    expect(await isOver(tearDown(call, {}))).toBe(true);
    expect([...dialogs.trunk.byes, ...dialogs.agent.byes]).toEqual([]);
  });

  it('forgets the legs where the engine is gone', async () => {
    const { call, dialogs, engine } = callWith('trunk', 'agent');
    expect(await isOver(tearDown(call, { engineIsGone: true }))).toBe(true);
    expect(engine.forgotten).toEqual([dialogs.trunk, dialogs.agent]);
    expect([...dialogs.trunk.byes, ...dialogs.agent.byes]).toEqual([]);
  });

  it('cancels the agent’s INVITE, and waits for its final response', async () => {
    const { call } = callWith();
    const cancel = vi.fn();
    call.agentInvite.begin();
    call.agentInvite.sent({ cancel });
    const done = tearDown(call, { reason: 'SIP;cause=487' });
    expect(await isOver(done)).toBe(false);
    expect(cancel.mock.calls[0]![0]).toEqual({ headers: { Reason: 'SIP;cause=487' } });
    call.agentInvite.answered();
    call.agentInvite.finish();
    expect(await isOver(done)).toBe(true);
  });

  it('cancels no INVITE that was not sent, or is answered', async () => {
    const { call } = callWith();
    expect(await isOver(tearDown(call, {}))).toBe(true);
  });

  it('gives up an agent’s 200 that waits for our ACK', async () => {
    const { call } = callWith();
    const destroy = vi.fn(async () => {});
    call.legs.setOffered('agent', { destroy } as unknown as OfferedDialog);
    expect(await isOver(tearDown(call, {}))).toBe(true);
    expect(destroy).toHaveBeenCalledTimes(1);
  });

  it('ends its transfer and the legs that are leaving, and adds up the media of all sessions', async () => {
    const { call } = callWith();
    const side = { packets_received: 1, bytes_received: 1, errors: 0 };
    const release = vi.fn(async () => ({ trunk: side, agent: side }));
    call.useMedia({ release } as never);
    const [callEnded, end] = [vi.fn(async () => {}), vi.fn(async () => {})];
    call.leaving.add({ end });
    vi.spyOn(call, 'transfer', 'get').mockReturnValue({ callEnded } as never);
    const options = { reason: 'SIP;cause=200' };
    const done = tearDown(call, options);
    await vi.advanceTimersByTimeAsync(0);
    expect(await done).toMatchObject({ trunk: { packets_received: 1 }, agent: { packets_received: 1 } });
    expect(callEnded).toHaveBeenCalledExactlyOnceWith(options);
    expect(end).toHaveBeenCalledExactlyOnceWith(options);
    expect(release).toHaveBeenCalledTimes(1);
  });
});

it('is over, and the leg forgotten, where BYE cannot be sent', async () => {
  const { call, dialogs, engine } = callWith('agent');
  vi.spyOn(dialogs.agent, 'destroy').mockImplementation(() => {
    throw new Error('not connected');
  });
  expect(await isOver(bye(call, dialogs.agent.asDialog, {}))).toBe(true);
  expect(engine.forgotten).toEqual([dialogs.agent]);
});
