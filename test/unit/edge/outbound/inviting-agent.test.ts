import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MediaRefused } from '../../../../src/edge/media/media-refused.js';
import { AgentPlacedCall } from '../../../../src/edge/outbound/agent-placed-call.js';
import { InvitingAgent } from '../../../../src/edge/outbound/inviting-agent.js';
import type { ReceivedResponse } from '../../../../src/edge/sip/messages.js';
import { CallDoubles, DialogDouble, invitation } from '../../../support/call-doubles.js';
import { headerFields } from '../../../support/header-fields.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = () => vi.advanceTimersByTimeAsync(0);

/** An INVITE of the agent runtime, with or without an offer; media describes what it is handed with a prefix. */
function placed({ offer = 'agent-offer', headers = {} as Record<string, string> } = {}) {
  const doubles = new CallDoubles();
  const { request, response, statuses } = invitation();
  Object.assign(request, {
    body: offer,
    ...headerFields({ ...request.headers, 'Max-Forwards': '20', ...headers }),
  });
  const sent: { status: number; body: string | undefined; headers: Record<string, string> }[] = [];
  const { send } = response;
  Object.assign(response, {
    send: (status: number, reason: string, options: { body?: string; headers: Record<string, string> }) => {
      sent.push({ status, body: options.body, headers: options.headers });
      send(status, reason, options);
    },
  });
  const call = new AgentPlacedCall(
    doubles.deps,
    { number: '12025550100', phoneNumber: '14155550100' },
    request,
    response,
  );
  call.admit({ number: '12025550100', organization: 'acme', release: () => {} });
  const media = {
    summary: null,
    audio: { isOnHold: false },
    release: async () => undefined,
    forgetParsed: () => {},
    answer: vi.fn(async (sdp: string) => `answer to ${sdp}`),
    offer: vi.fn(async (side: string, sdp: string) => `offer of ${side}: ${sdp}`),
  };
  call.useMedia(media as never);
  call.invite();
  return { ...doubles, call, media, agent: new InvitingAgent(call), sent, statuses, deps: doubles.deps };
}

const provisional = (status: number, body?: string): ReceivedResponse =>
  ({ status, body, ...headerFields({ To: '<sip:callee@x>;tag=callee' }) }) as never;

describe('the message that an agent’s own call began with', () => {
  it('is read for its offer, variables and hops', () => {
    const { agent } = placed({ headers: { account: '7', 'x-demarc-plan': 'gold' } });
    expect(agent.offer).toBe('agent-offer');
    expect(agent.maxForwards).toBe(19);
    expect([agent.header('Account'), agent.header('Plan'), agent.header('Other')]).toEqual([
      '7',
      'gold',
      undefined,
    ]);
  });
});

describe('a provisional response of the trunk', () => {
  it.each([180, 181, 182, 183])('reaches the agent: %d', async (status) => {
    const { agent, sent } = placed();
    agent.provisional(provisional(status));
    await settle();
    expect(sent).toMatchObject([{ status, body: undefined }]);
  });

  it('stays with the edge where it concerns forks or the next hop', async () => {
    const { agent, sent } = placed();
    agent.provisional(provisional(199));
    agent.provisional(provisional(100));
    await settle();
    expect(sent).toEqual([]);
  });

  it('stays with the edge where the agent requires reliable ones for an INVITE without offer', async () => {
    const { agent, sent } = placed({ offer: '', headers: { require: '100rel' } });
    agent.provisional(provisional(180));
    await settle();
    expect(sent).toEqual([]);
  });

  it('carries early media, in the order of the responses', async () => {
    const { agent, sent, call, media } = placed();
    let finish = (_body: string): void => {};
    media.answer.mockImplementationOnce(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    agent.provisional(provisional(183, 'early'));
    agent.provisional(provisional(180));
    await settle();
    expect(sent).toEqual([]);
    finish('early answer');
    await settle();
    expect(sent.map(({ status, body }) => [status, body])).toEqual([
      [183, 'early answer'],
      [180, undefined],
    ]);
    expect(call.state.descriptions.agent.local).toBe('early answer');
  });

  it('carries no description where the agent made no offer', async () => {
    const { agent, sent, media } = placed({ offer: '' });
    agent.provisional(provisional(183, 'early'));
    await settle();
    expect(sent).toMatchObject([{ status: 183, body: undefined }]);
    expect(media.answer).not.toHaveBeenCalled();
  });

  it('is relayed without early media that is invalid', async () => {
    const { agent, sent, call, media } = placed();
    media.answer.mockRejectedValueOnce(new MediaRefused('305 demarc "x"', 'No codec.'));
    agent.provisional(provisional(183, 'early'));
    await settle();
    expect(sent).toMatchObject([{ status: 183, body: undefined }]);
    expect(call.hasEnded).toBe(false);
  });

  it('ends the call where media fails otherwise', async () => {
    const { agent, call, media } = placed();
    media.answer.mockRejectedValueOnce(new Error('a defect'));
    agent.provisional(provisional(183, 'early'));
    await settle();
    expect(call.state.ending).toMatchObject({ reason: 'internal_error', detail: 'a defect' });
  });

  it('comes too late after the trunk’s 200, or the end', async () => {
    const { agent, sent, call } = placed();
    call.setDialog('trunk', new DialogDouble().asDialog);
    agent.provisional(provisional(180));
    await settle();
    expect(sent).toEqual([]);
    const ended = placed();
    ended.call.end({ reason: 'agent_hung_up', by: 'agent' });
    ended.agent.provisional(provisional(180));
    await settle();
    expect(ended.statuses).toEqual([]);
  });
});

describe('the trunk’s answer to the agent’s offer', () => {
  it('goes to the agent in our 200, and both are established once the agent has its dialog', async () => {
    const { agent, call, sending } = placed();
    await agent.join('trunk-answer');
    expect(call.state.descriptions).toMatchObject({
      trunk: { remote: 'trunk-answer' },
      agent: { local: 'answer to trunk-answer' },
    });
    const dialog = new DialogDouble('agent');
    expect(sending).toHaveLength(1);
    sending[0]!(null, dialog.asDialog);
    expect(call.dialogs.agent).toBe(dialog);
    expect(call.state.deadline?.kind).toBe('maximum_duration');
    expect(call.legs.owesAck.agent).toBe(true);
    dialog.emit('ack', {});
    await settle();
    expect(call.legs.owesAck.agent).toBe(false);
  });

  it('waits for early media', async () => {
    const { agent, call, sending } = placed();
    let finish = (): void => {};
    void call.afterEarlyMedia(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    const joined = agent.join('trunk-answer');
    await settle();
    expect(sending).toEqual([]);
    finish();
    await joined;
    expect(sending).toHaveLength(1);
  });

  it('is sent no more once the call has ended', async () => {
    const { agent, call, media, sending } = placed();
    call.end({ reason: 'callee_hung_up', by: 'callee' });
    await agent.join('trunk-answer');
    expect(media.answer).not.toHaveBeenCalled();
    const later = placed();
    later.media.answer.mockImplementationOnce(async (sdp) => {
      later.call.end({ reason: 'callee_hung_up', by: 'callee' });
      return sdp;
    });
    await later.agent.join('trunk-answer');
    expect([...sending, ...later.sending]).toEqual([]);
  });

  it('has to be there', async () => {
    const { agent } = placed();
    await expect(agent.join(undefined)).rejects.toMatchObject({
      detail: 'The trunk answered 200 without SDP.',
    });
  });

  it('is the one that a reliable provisional response carried before', async () => {
    const { agent, call } = placed();
    call.provisionals.answer = 'early answer';
    await agent.join('trunk-answer');
    expect(call.state.descriptions.agent.local).toBe('early answer');
  });

  it('ends the call as if the agent hung up when our 200 cannot carry it', async () => {
    const { agent, call, sending } = placed();
    await agent.join('trunk-answer');
    sending[0]!(new Error('cancelled'));
    expect(call.state.ending).toMatchObject({ reason: 'agent_hung_up', by: 'agent' });
    expect(call.state.ending?.detail).toContain('cancelled');
    const ended = placed();
    await ended.agent.join('trunk-answer');
    ended.call.end({ reason: 'callee_hung_up', by: 'callee' });
    ended.sending[0]!(new Error('cancelled'));
    expect(ended.call.state.ending?.reason).toBe('callee_hung_up');
  });

  it('ends the agent’s dialog after its ACK when it crossed the end of the call', async () => {
    const { agent, call, sending } = placed();
    await agent.join('trunk-answer');
    call.end({ reason: 'callee_hung_up', by: 'callee' });
    const dialog = new DialogDouble('agent');
    sending[0]!(null, dialog.asDialog);
    await settle();
    expect(dialog.byes).toEqual([]);
    dialog.emit('ack', {});
    await settle();
    expect(dialog.byes).toEqual([{ headers: {} }]);
    expect(call.state.deadline).toBeNull();
  });
});

describe('an offer of the trunk, where neither INVITE had one', () => {
  async function offered() {
    const test = placed({ offer: '' });
    const acknowledge = vi.fn(async () => {});
    await test.agent.join('trunk-offer', acknowledge);
    const dialog = new DialogDouble('agent');
    test.sending[0]!(null, dialog.asDialog);
    const ack = async (body?: string) => {
      dialog.emit('ack', { body, ...headerFields({}) });
      await settle();
    };
    return { ...test, acknowledge, ack };
  }

  it('reaches the agent in our 200, whose ACK brings the answer', async () => {
    const { call, media, acknowledge, ack } = await offered();
    expect(media.offer).toHaveBeenCalledWith('trunk', 'trunk-offer');
    expect(call.state.descriptions.agent.local).toBe('offer of trunk: trunk-offer');
    expect(call.state.deadline).toBeNull();
    await ack('agent-answer');
    expect(acknowledge).toHaveBeenCalledWith('answer to agent-answer');
    expect(call.state.descriptions).toMatchObject({
      trunk: { remote: 'trunk-offer', local: 'answer to agent-answer' },
      agent: { remote: 'agent-answer' },
    });
    expect(call.state.deadline?.kind).toBe('maximum_duration');
  });

  it('ends the call where the ACK has no answer', async () => {
    const { call, acknowledge, ack } = await offered();
    await ack();
    expect(call.state.ending?.detail).toBe("The agent's ACK had no SDP answer to the offer.");
    expect(acknowledge).not.toHaveBeenCalled();
  });

  it('is answered no more once the call has ended', async () => {
    const { call, media, acknowledge, ack } = await offered();
    call.end({ reason: 'callee_hung_up', by: 'callee' });
    await ack('agent-answer');
    expect(media.answer).not.toHaveBeenCalled();
    expect(acknowledge).not.toHaveBeenCalled();
  });

  it('has to be there', async () => {
    const { agent } = placed({ offer: '' });
    await expect(agent.join(undefined, async () => {})).rejects.toMatchObject({
      detail: "The trunk's 200 had no SDP offer.",
    });
  });

  it('does not reach an agent whose call ended meanwhile', async () => {
    const { agent, call, media, sending } = placed({ offer: '' });
    media.offer.mockImplementationOnce(async (_side, sdp) => {
      call.end({ reason: 'callee_hung_up', by: 'callee' });
      return sdp;
    });
    await agent.join('trunk-offer', async () => {});
    expect(sending).toEqual([]);
    expect(call.state.descriptions.trunk.remote).toBeUndefined();
  });
});
