import { describe, expect, it } from 'vitest';
import { contactId } from '../../../../src/contract/contact-id.js';
import {
  type AgentHeaderSource,
  type AgentHeaders,
  factsOf,
  agentHeaders as headersFor,
} from '../../../../src/edge/call/agent-headers.js';
import { drachtioServerLimits, embeddedEngineLimits } from '../../../../src/edge/sip/message-limits.js';

const agentHeaders = (
  from: AgentHeaderSource,
  bodyOctets: number,
  limits = drachtioServerLimits,
): AgentHeaders => headersFor(from, bodyOctets, limits);
const maximumMessageOctets = drachtioServerLimits.message;

function source(lines: Record<string, string> = {}): AgentHeaderSource {
  const all: Record<string, string> = { from: '"Bob" <sip:+4930111@pbx.example;user=phone>;tag=1', ...lines };
  return {
    callId: 'call-1',
    organization: 'acme',
    number: '4930123456',
    direction: 'inbound',
    agentUri: 'sip:agent@10.1.2.3:5080;transport=tcp',
    agentSipCallId: 'call-1',
    maxForwards: 69,
    header: (name) => Object.entries(all).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1],
    headerNames: Object.keys(all),
    mappings: [],
  };
}

const size = (headers: Record<string, string>): number =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value) + 4, 0);

describe('headers of the agent’s INVITE', () => {
  it('identify call, organization, number and direction', () => {
    expect(agentHeaders(source(), 500).headers).toMatchObject({
      'X-Demarc-Call-ID': 'call-1',
      'X-Demarc-Org': 'acme',
      'X-Demarc-Number': '4930123456',
      'X-Demarc-Direction': 'inbound',
      From: '"Bob" <sip:+4930111@localhost>',
      To: '<sip:4930123456@10.1.2.3:5080>',
      'Max-Forwards': '69',
    });
  });

  it('name the contact of a caller with a number, and none of another caller', () => {
    const of = (from: string) =>
      agentHeaders(source({ from, 'X-Demarc-Contact': 'evil' }), 0).headers['X-Demarc-Contact'];
    expect(of('<sip:+14155550100@pbx.example;user=phone>;tag=1')).toBe(contactId('acme', '+14155550100'));
    expect(of('<sip:14155550100;verstat=No-TN-Validation@pbx.example>')).toBe(
      contactId('acme', '+14155550100'),
    );
    for (const none of ['<sip:anonymous@anonymous.invalid>', '<sip:100@pbx.example>', '<sip:pbx.example>'])
      expect(of(none)).toBeUndefined();
  });

  it('name the pathway, its version and the voice, and bots by WebSocket get the same facts', () => {
    const ordered = {
      ...source({ 'X-Demarc-Pathway-ID': 'evil', 'X-Demarc-Voice': 'evil' }),
      persona: { id: 'per_1', version: 3 },
      pathway: { id: 'path_1', version: 5 },
      voice: 'maya',
      token: { 'X-Demarc-Token': 'ours' },
    };
    expect(agentHeaders(ordered, 0).headers).toMatchObject({
      'X-Demarc-Pathway-ID': 'path_1',
      'X-Demarc-Pathway-Version': '5',
      'X-Demarc-Voice': 'maya',
    });
    expect(factsOf({ ...ordered, contactId: 'con_1' }, embeddedEngineLimits)).toEqual({
      contact_id: 'con_1',
      persona_id: 'per_1',
      persona_version: '3',
      pathway_id: 'path_1',
      pathway_version: '5',
      voice: 'maya',
      token: 'ours',
    });
    const without = agentHeaders(source({ 'X-Demarc-Pathway-ID': 'evil', 'X-Demarc-Voice': 'evil' }), 0);
    expect(without.headers).not.toHaveProperty('X-Demarc-Pathway-ID');
    expect(without.headers).not.toHaveProperty('X-Demarc-Voice');
  });

  it('name persona, version, knowledge and tools, and a list that no header holds not at all', () => {
    const forged = { 'X-Demarc-Tools': 'evil', 'X-Demarc-Knowledge': 'evil', 'X-Demarc-Token': 'evil' };
    const ordered = {
      ...source(forged),
      persona: { id: 'per_1', version: 3 },
      knowledgeIds: ['one', 'two'],
      tools: ['KB-1', 'kb_2'],
      token: { 'X-Demarc-Token': 'ours' },
    };
    expect(agentHeaders(ordered, 0).headers).toMatchObject({
      'X-Demarc-Persona-ID': 'per_1',
      'X-Demarc-Persona-Version': '3',
      'X-Demarc-Knowledge': 'one,two',
      'X-Demarc-Tools': 'KB-1,kb_2',
      'X-Demarc-Token': 'ours',
    });
    const without = agentHeaders(source(forged), 0).headers;
    for (const name of Object.keys(forged)) expect(without).not.toHaveProperty(name);
    const long = { ...ordered, tools: Array.from({ length: 60 }, () => 'a'.repeat(36)) };
    expect(agentHeaders(long, 0).headers['X-Demarc-Tools']).toBeUndefined();
    const much = { ...ordered, knowledgeIds: Array.from({ length: 50 }, () => 'a'.repeat(36)) };
    expect(agentHeaders(much, 0).headers['X-Demarc-Knowledge']).toBeUndefined();
    expect(agentHeaders(much, 0, embeddedEngineLimits).headers['X-Demarc-Knowledge']).toHaveLength(1_849);
    expect(agentHeaders(source(), 0).headers['X-Demarc-Persona-ID']).toBeUndefined();
  });

  it.each([
    ['<sip:anonymous@anonymous.invalid>;tag=1', '<sip:anonymous@anonymous.invalid>'],
    ['<tel:+4930111;phone-context=example>;tag=1', '<sip:+4930111@localhost>'],
    ['sip:4930111@pbx.example;tag=1', '<sip:4930111@localhost>'],
    ['"A \\"B\\" C" <sip:x@pbx.example>;tag=1', '"A \\"B\\" C" <sip:x@localhost>'],
    ['<sip:pbx.example>;tag=1', '<sip:anonymous@anonymous.invalid>'],
    ['not an address at all <', '<sip:anonymous@anonymous.invalid>'],
  ])('name the caller of %s', (from, expected) => {
    expect(agentHeaders(source({ from }), 0).headers.From).toBe(expected);
  });

  it('take the caller’s X- headers over, but none that pretend to be ours', () => {
    const { headers } = agentHeaders(
      source({ 'X-Ticket': '7', 'x-demarc-org': 'evil', 'X-Demarc-Other': 'evil' }),
      0,
    );
    expect(headers['X-Ticket']).toBe('7');
    expect(Object.values(headers)).not.toContain('evil');
  });

  it('name the caller’s X- headers as variables, and what the configuration maps', () => {
    const { headers } = agentHeaders(
      {
        ...source({ 'X-Ticket': '7', 'x-demarc-org': 'evil', 'user-to-user': '48656c6c6f;encoding=hex' }),
        mappings: [
          { type: 'custom', key: 'X-Ticket', value: 'ticket_number', passthrough: false },
          { type: 'uui', target: 'greeting', encoding: 'hex' },
        ],
      },
      0,
    );
    expect(headers).toMatchObject({ 'sip_header_x-ticket': '7', ticket_number: '7', greeting: 'Hello' });
    expect(Object.values(headers)).not.toContain('evil');
  });

  it('carry no line end from a value', () => {
    const { headers } = agentHeaders(
      source({ 'X-Bad': 'a\r\nRoute: <sip:evil>', Diversion: '<sip:a>\nX: y' }),
      0,
    );
    expect(headers).not.toHaveProperty('X-Bad');
    expect(headers).not.toHaveProperty('Diversion');
  });

  it('take no credentials, routes or private extras over', () => {
    const lines = {
      Authorization: 'Digest secret',
      Route: '<sip:x>',
      'Record-Route': '<sip:x>',
      'User-Agent': 'pbx',
    };
    const { headers } = agentHeaders(source(lines), 0);
    expect(headers).not.toHaveProperty('Authorization');
    expect(headers).not.toHaveProperty('Route');
    expect(headers['User-Agent']).toBe('demarc');
  });

  it('stay within what drachtio-server takes: the largest extras go first, what we need stays', () => {
    const lines = {
      'X-Small': 'keep me',
      'X-Large': 'ö'.repeat(2_000),
      'User-to-User': 'a'.repeat(2_500),
      'P-Asserted-Identity': '<sip:+4930111@pbx.example>',
    };
    const { headers, dropped } = agentHeaders(source(lines), 900);
    expect(size(headers) + 900).toBeLessThan(maximumMessageOctets);
    expect(dropped[0]).toBe('X-Large');
    expect(headers['X-Demarc-Call-ID']).toBe('call-1');
    expect(headers).toHaveProperty('From');
  });

  it("are not cut to a drachtio-server's frames on the embedded engine", () => {
    const crm = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`X-Crm-${index}`, 'c'.repeat(60)]),
    );
    const lines = { ...crm, 'User-to-User': 'a'.repeat(900), 'History-Info': `<sip:${'h'.repeat(890)}@a.b>` };
    expect(agentHeaders(source(lines), 900).dropped.length).toBeGreaterThan(20);
    const whole = agentHeaders(source(lines), 900, embeddedEngineLimits);
    expect(whole.dropped).toEqual([]);
    expect(whole.headers).toMatchObject(lines);
    const huge = agentHeaders(source({ ...lines, 'X-Huge': 'h'.repeat(31_000) }), 900, embeddedEngineLimits);
    expect(huge.dropped).toEqual(expect.arrayContaining(['X-Huge', 'sip_header_x-huge']));
    expect(size(huge.headers)).toBeLessThan(embeddedEngineLimits.head);
  });

  it('leave mapped variables out last', () => {
    const lines = { 'X-Large': 'a'.repeat(1_500), 'P-Asserted-Identity': '<sip:+4930111@pbx.example>' };
    const mapping = { type: 'custom', key: 'X-Large', value: 'large_one', passthrough: false } as const;
    const some = agentHeaders({ ...source(lines), mappings: [mapping] }, 1_000);
    expect(some.dropped).toEqual(['X-Large', 'sip_header_x-large']);
    expect(some.headers).toHaveProperty('large_one');
    const all = agentHeaders({ ...source(lines), mappings: [mapping] }, 2_500);
    expect(all.dropped.at(-1)).toBe('large_one');
    expect(size(all.headers) + 2_500).toBeLessThan(maximumMessageOctets);
  });

  it('keep the token when everything else that is long has to go', () => {
    const ids = Array.from({ length: 27 }, () => 'a'.repeat(36));
    const caller = { 'X-Order': 'x'.repeat(900), 'X-Other': 'y'.repeat(900) };
    const token = { 'X-Demarc-Token': 't'.repeat(1_700) };
    const many = { ...source(caller), knowledgeIds: ids, tools: ids, token };
    const { headers, dropped } = agentHeaders(many, 900);
    expect(headers).toMatchObject(token);
    expect(dropped).toEqual(expect.arrayContaining(['X-Order', 'X-Demarc-Knowledge', 'X-Demarc-Tools']));
    expect(size(headers)).toBeLessThan(maximumMessageOctets - 900);
  });
});
