import { describe, expect, it } from 'vitest';
import { written } from '../../../../../src/dashboard/api/request.js';
import type { Configuration } from '../../../../../src/dashboard/api/trunks.js';
import { botOf, TryBotPanel, tryRequestOf } from '../../../../../src/dashboard/pages/trunks/try-bot-panel.js';
import { rendered } from '../../rendered.js';

const url = 'wss://bot.example.com/stream';
const configuration = (agent: string | null, direction = 'inbound'): Configuration =>
  ({ agent, direction }) as Configuration;

function bodyOf(typed: string, bot: string | undefined): unknown {
  const fields = new FormData();
  fields.set('callee', ' +14155550100 ');
  fields.set('bot', typed);
  const { method, path, body } = written(tryRequestOf('+13125550199', fields, bot));
  expect([method, path]).toEqual(['POST', '/v1/calls']);
  return JSON.parse(body!);
}

describe('trying a bot', () => {
  const order = { from: '+13125550199', phone_number: '+14155550100', task: 'Test of a bot' };

  it('calls the typed phone with the typed bot', () => {
    expect(bodyOf(url, undefined)).toEqual({ ...order, agent: url });
    expect(bodyOf('wss://other.example.com', url)).toEqual({ ...order, agent: 'wss://other.example.com' });
  });

  it('leaves the number’s own bot its settings', () => {
    expect(bodyOf(url, url)).toEqual(order);
  });

  it('finds the bot of ordered calls', () => {
    expect(botOf([configuration(url), configuration(null, 'outbound')])).toBe(url);
    expect(botOf([configuration('sip:a.example'), configuration(url, 'outbound')])).toBe(url);
    expect(botOf([configuration(url), configuration('sip:a.example', 'outbound')])).toBeUndefined();
    expect(botOf([configuration(null)])).toBeUndefined();
  });

  it('shows the form with the number’s bot', () => {
    const panel = rendered(<TryBotPanel phoneNumber="+13125550199" configurations={[configuration(url)]} />);
    expect(panel.all('h2')).toEqual(['Try with a WebSocket bot']);
    expect(panel.html).toContain(url);
  });
});
