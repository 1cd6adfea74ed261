import { describe, expect, it } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { storedStream } from '../../../../src/control/numbers/agent-streams.js';
import { configurationSchema, configurationView } from '../../../../src/control/trunks/views.js';
import { configurationRow, outboundRow } from '../numbers/configuration-row.js';

describe('a configuration in a response', () => {
  it('of an inbound direction names the agent and who may call', () => {
    expect(
      configurationView(
        configurationRow({ sip_endpoint: 'agent.example.com', allowed_ips: ['192.0.2.1'] }),
        'org_1',
      ),
    ).toEqual({
      number: '+14155550100',
      id: 'cfg_1',
      org_id: 'org_1',
      direction: 'inbound',
      sip_endpoint: 'agent.example.com',
      agent: 'agent.example.com',
      registrar: null,
      created_at: '2026-11-01T08:00:00.000Z',
      updated_at: '2026-11-02T09:00:00.000Z',
      headers: null,
      agent_streams: [],
      options: { auth_mode: 'ip' },
      register_auth: null,
      allowed_ips: ['192.0.2.1'],
    });
  });

  it('of a registration has the registrar under the older name as well, and no password', () => {
    const view = configurationView(
      configurationRow({
        auth_mode: 'register',
        sip_endpoint: 'agent.example.com',
        registrar: 'reg.example.com',
        register_username: 'pbx',
        register_password: 'sealed 1',
        pbx_password: 'sealed 2',
      }),
      'org_1',
    );
    expect(view).toMatchObject({
      sip_endpoint: 'reg.example.com',
      agent: 'agent.example.com',
      registrar: 'reg.example.com',
      options: { auth_mode: 'register' },
      register_auth: { username: 'pbx', password: '[redacted]' },
    });
    expect(JSON.stringify(view)).not.toContain('sealed');
  });

  it('of an outbound direction names the server, and the agent of calls that the number places', () => {
    const view = configurationView(
      outboundRow({
        agent: 'agent.example.com',
        options: { port: 5070, sip_username: 'user' },
        sip_password: 'sealed',
      }),
      'org_1',
    );
    expect(view).toMatchObject({
      sip_endpoint: 'sip:pbx.example.com',
      agent: 'agent.example.com',
      allowed_ips: null,
      options: { port: 5070, sip_username: 'user', sip_password: '[redacted]' },
    });
    expect('auth_mode' in view.options).toBe(false);
    expect('sip_password' in configurationView(outboundRow(), 'org_1').options).toBe(false);
  });

  it('has its headers with their direction, and its agents without the values of theirs', () => {
    const headers = [{ header: 'X-Account', mapped_name: 'account' }] as never[];
    expect(configurationView(outboundRow({ headers }), 'org_1').headers).toEqual({
      direction: 'outbound',
      headers,
    });
    const secrets = new SecretBox([generateSecretKey()]);
    const stream = storedStream(
      { type: 'websocket', url: 'wss://bot.example.com', headers: { a: 'secret' } },
      secrets,
      'o',
    );
    const view = configurationView(configurationRow({ agent_streams: [stream] }), 'org_1');
    expect(view.agent_streams).toMatchObject([
      { url: 'wss://bot.example.com', headers: { a: '[redacted]' } },
    ]);
    expect(configurationSchema.parse(view)).toEqual(view);
  });
});
