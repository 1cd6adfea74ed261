import { afterEach, beforeAll, expect, it } from 'vitest';
import { PeerCall } from '../../support/peer-call.js';
import { agentDescription } from '../media/descriptions.js';
import { type CallBench, calledNumber } from './bench.js';
import { plainBench } from './plain-bench.js';

let bench: CallBench;

beforeAll(async () => {
  bench = await plainBench.take();
  await bench.configure({
    inbound: [
      {
        id: 'any',
        headers: [
          { type: 'custom', key: 'X-Customer', value: 'customer_id' },
          { type: 'custom', key: 'P-Asserted-Identity', value: 'asserted' },
          { type: 'custom', key: 'plan', value: 'gold', passthrough: true },
          { type: 'uui', target: 'handed_over', purpose: 'isdn-uui', encoding: 'hex' },
        ],
      },
    ],
    outbound: [
      {
        id: 'pbx',
        host: '127.0.0.1',
        headers: [
          { type: 'custom', key: 'result_code', value: 'X-Result' },
          { type: 'uui', target: 'summary', purpose: 'isdn-uui', encoding: 'hex' },
        ],
      },
    ],
  });
});
afterEach(() => bench.expectNothingLeft());

it('gives the agent the caller’s headers as variables, and the trunk the agent’s', async () => {
  const trunk = await bench.call({
    headers: {
      'X-Customer': '42',
      'X-CAMPAIGN': 'spring',
      'P-Asserted-Identity': '<sip:+14155550100@pbx.example>',
      'User-to-User': 'ff;purpose=other, 5ac3bc72696368;purpose=isdn-uui;encoding=hex',
      'sip_header_x-forged': 'evil',
      plan: 'free',
    },
  });
  const { agent, invite } = await bench.atAgent();
  const { headers } = invite.message;
  expect(headers.get('sip_header_x-customer')).toBe('42');
  expect(headers.get('sip_header_x-campaign')).toBe('spring');
  expect(headers.get('customer_id')).toBe('42');
  expect(headers.get('asserted')).toContain('+14155550100');
  expect(headers.get('plan')).toBe('gold');
  expect(Buffer.from(headers.get('handed_over')!, 'latin1').toString('utf8')).toBe('Zürich');
  expect(headers.get('sip_header_x-forged')).toBeUndefined();

  await agent.respond(invite, 200, {
    body: agentDescription(),
    headers: { result_code: '7', summary: 'ok', unmapped: 'private' },
  });
  const ok = await trunk.response(200);
  expect(ok.message.headers.get('X-Result')).toBe('7');
  expect(ok.message.headers.get('User-to-User')).toBe('6f6b;purpose=isdn-uui;encoding=hex');
  expect(ok.message.headers.get('unmapped')).toBeUndefined();
  await trunk.ack(ok.message);
  await bench.agent.expectRequest('ACK', { callId: agent.callId });

  await agent.send('BYE', { headers: { summary: 'done', result_code: 'a\tb' } });
  const bye = await bench.trunk.expectRequest('BYE', { callId: trunk.callId });
  expect(bye.message.headers.get('User-to-User')).toBe('646f6e65;purpose=isdn-uui;encoding=hex');
  await trunk.respond(bye, 200);
  await agent.response(200, 'BYE');
  await bench.record();
});

it('gives the agent all headers of a large INVITE', async () => {
  const crm = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`X-Crm-${index}`, `${index} ${'c'.repeat(57)}`]),
  );
  const large = {
    'User-to-User': `${'5a'.repeat(440)};purpose=isdn-uui`,
    'History-Info': `<sip:${'h'.repeat(880)}@pbx.example>;index=1`,
  };
  const trunk = await bench.call({ headers: { ...crm, ...large } });
  const { agent, invite } = await bench.atAgent();
  for (const [name, value] of Object.entries({ ...crm, ...large }))
    expect(invite.message.headers.get(name)).toBe(value);
  for (const [name, value] of Object.entries(crm))
    expect(invite.message.headers.get(`sip_header_${name.toLowerCase()}`)).toBe(value);
  await agent.respond(invite, 486);
  await trunk.response(486);
  await bench.record();
});

it('sends the trunk of an outbound call only what the mappings and Privacy allow', async () => {
  const { port } = bench.trunk;
  const constant = (key: string, value: string) => ({ type: 'custom', key, value, passthrough: true });
  const outbound = (headers: unknown[]) => ({
    outbound: [{ id: 'pbx', host: '127.0.0.1', port, transport: 'tcp', headers }],
  });
  const ordered = async (headers: unknown[]) => {
    await bench.configure(outbound(headers));
    await bench.order();
    const { agent, invite: asked } = await bench.atAgent();
    await agent.respond(asked, 200, { body: agentDescription() });
    const offered = await bench.trunk.expectRequest('INVITE');
    const trunk = PeerCall.from(bench.trunk, offered.message);
    await trunk.respond(offered, 486);
    await bench.trunk.expectRequest('ACK', { callId: trunk.callId });
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    await bench.record();
    return offered.message.headers;
  };
  const hidden = await ordered([constant('Privacy', 'id'), constant('X-Account', '7')]);
  await bench.answerProbe();
  expect(hidden.get('From')).toMatch(/^"Anonymous" <sip:anonymous@anonymous.invalid>;tag=/);
  expect(hidden.get('P-Asserted-Identity')).toContain(calledNumber);
  expect([hidden.get('Privacy'), hidden.get('X-Account')]).toEqual(['id', '7']);
  const bare = await ordered([constant('p-asserted-identity', '')]);
  expect(bare.has('P-Asserted-Identity')).toBe(false);
  expect(bare.get('From')).toContain(calledNumber);
});
