import { describe, expect, it } from 'vitest';
import { written } from '../../../../../src/dashboard/api/request.js';
import type { Configuration } from '../../../../../src/dashboard/api/trunks.js';
import {
  callRequest,
  orderedAgentOf,
  PlaceCallPanel,
} from '../../../../../src/dashboard/pages/trunks/place-call-panel.js';
import { rendered } from '../../rendered.js';

const url = 'wss://bot.example.com/stream';
const configuration = (agent: string | null, direction = 'inbound'): Configuration =>
  ({ agent, direction }) as Configuration;

function bodyOf(typed: string, own: string | undefined): unknown {
  const fields = new FormData();
  fields.set('phone_number', ' +1 (415) 555-0100 ');
  fields.set('task', 'Say hello.');
  fields.set('agent', typed);
  const { method, path, body } = written(callRequest('+13125550199', fields, own));
  expect([method, path]).toEqual(['POST', '/v1/calls']);
  return JSON.parse(body!);
}

describe('a call from a number', () => {
  const order = { from: '+13125550199', phone_number: '+14155550100', task: 'Say hello.' };

  it('has the typed bot', () => {
    expect(bodyOf(` ${url} `, undefined)).toEqual({ ...order, agent: url });
    expect(bodyOf('wss://other.example.com', url)).toEqual({ ...order, agent: 'wss://other.example.com' });
  });

  it('leaves the number’s own agent its settings', () => {
    expect(bodyOf(url, url)).toEqual(order);
    expect(bodyOf('', url)).toEqual(order);
  });

  it('finds the agent of ordered calls', () => {
    expect(orderedAgentOf([configuration(url), configuration(null, 'outbound')])).toBe(url);
    expect(orderedAgentOf([configuration('sip:a.example'), configuration(url, 'outbound')])).toBe(url);
    expect(orderedAgentOf([configuration(null)])).toBeUndefined();
  });

  it('offers to try a bot, with the number’s own', () => {
    const panel = (agent: string | null) =>
      rendered(<PlaceCallPanel phoneNumber="+13125550199" configurations={[configuration(agent)]} />);
    expect(panel(url).html).toMatch(/<details open[^>]*><summary>Try with a WebSocket bot/);
    expect(panel(url).html).toContain(url);
    expect(panel(null).html).toMatch(/<details><summary>Try with a WebSocket bot/);
  });
});
