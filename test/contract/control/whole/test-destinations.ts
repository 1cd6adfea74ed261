import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestSubject } from '../../../../src/control/agent-testing/conversation/channel.js';
import { calledNumber, destinationOf } from '../../../../src/control/agent-testing/voice/destination.js';
import { documentWith } from '../../../unit/control/pathways/sample-document.js';
import { type ApiUser, WholeApi } from './whole-api.js';

let api: WholeApi;
let user: ApiUser;
let stranger: ApiUser;
let serial = 100;
beforeAll(async () => {
  api = await WholeApi.shared();
}, 300_000);
beforeEach(async () => {
  [user, stranger] = [await api.user(), await api.user()];
});

interface Tested {
  readonly persona?: string;
  readonly pathway?: string;
  readonly destination?: string;
  readonly agent?: string;
  readonly version?: number | null;
}

/** Where a run of that organization calls. */
const called = ({ persona, pathway, destination, agent, version = 1 }: Tested, by = user) =>
  destinationOf(api.database, {
    organizationId: by.organizationId,
    definition: {
      persona_id: persona ?? null,
      pathway_id: pathway ?? null,
      agent: agent === undefined ? null : { url: null, model: 'm', sip_uri: agent },
      voice: destination === undefined ? null : { destination },
    },
    versionNumber: version,
  } as unknown as TestSubject);

/** A number of the organization, as the API shows it. */
async function number(fields: object = {}, by = user): Promise<string> {
  const phone_number = `+14155557${serial++}`;
  const directions = [{ type: 'inbound', allowed_ips: ['203.0.113.0/24'], ...fields }];
  const { status, body } = await by.post('/sip/attach', { phone_number, directions, service: 'sip' });
  expect(status, JSON.stringify(body)).toBe(200);
  return phone_number;
}
const created = async (path: string, body: object): Promise<string> => {
  const { status, data, body: whole } = await user.post(path, body);
  expect(status, JSON.stringify(whole)).toBe(200);
  return data.id;
};
const pathwayOf = (): Promise<string> =>
  created('/pathways', { name: 'Appointments', document: documentWith(() => undefined) });
const personaOf = (fields: object = {}): Promise<string> =>
  created('/personas', { name: 'Anna', voice: 'warm', ...fields });
const attach = (kind: 'personas' | 'pathways', id: string, phone: string) =>
  user.post(`/${kind}/${id}/inbound/attach`, { inbound_numbers: [phone] });

const nothing = { agent_uri: null, persona: null, pathway: null, pathway_knowledge_ids: [], voice: null };

describe('a run by voice without a version', () => {
  it('calls the number or the SIP URI that the scenario names, or the agent’s', async () => {
    const phone = await number();
    expect(await called({ destination: phone, version: null })).toEqual({
      number: phone.slice(1),
      ...nothing,
    });
    const uri = 'sip:bot@example.com';
    const expected = { ...nothing, number: null, agent_uri: uri, stream: undefined };
    expect(await called({ destination: uri, version: null })).toEqual(expected);
    expect(await called({ agent: uri, version: null })).toEqual(expected);
    expect(
      await called({ agent: 'sip:other@example.com', destination: uri.toUpperCase(), version: null }),
    ).toMatchObject({ agent_uri: uri.toUpperCase() });
  });

  it.each([
    ['+1415', 'neither an E.164 number'],
    ['sip:', 'sip: is not a SIP URI.'],
    ['+14155550999', 'not a number of yours with an inbound direction'],
  ])('fails with the destination %s', async (destination, problem) => {
    await expect(called({ destination, version: null })).rejects.toThrow(problem);
  });

  it('calls no number of another organization, and none that takes no calls', async () => {
    const foreign = await number({}, stranger);
    await expect(called({ destination: foreign })).rejects.toThrow('not a number of yours');
    const outbound = await number({
      type: 'outbound',
      sip_endpoint: 'sip:pbx.example.com',
      allowed_ips: undefined,
    });
    await expect(called({ destination: outbound })).rejects.toThrow('not a number of yours');
  });

  it('fails where the scenario names nothing to call', async () => {
    await expect(called({ version: null })).rejects.toThrow('names no number or SIP URI');
  });
});

describe('a run of a pathway', () => {
  it('calls a number that follows it, and gives the agent the version under test', async () => {
    const [pathway, unrelated] = [await pathwayOf(), await pathwayOf()];
    await expect(called({ pathway })).rejects.toThrow(
      'No number with an inbound direction follows this pathway',
    );
    const [phone, elsewhere] = [await number(), await number()];
    await attach('pathways', pathway, phone);
    await attach('pathways', unrelated, elsewhere);
    const version = { pathway: { id: pathway, version: 1 }, pathway_knowledge_ids: [] };
    expect(await called({ pathway })).toEqual({ ...nothing, number: phone.slice(1), ...version });
    expect(await called({ pathway, destination: 'sip:bot@example.com' })).toMatchObject({
      agent_uri: 'sip:bot@example.com',
      ...version,
    });
    expect(await called({ pathway, version: null })).toMatchObject({ number: phone.slice(1), pathway: null });
    await expect(called({ pathway, version: 7 })).rejects.toThrow('Version 7 of the pathway does not exist');
    await expect(called({ pathway }, stranger)).rejects.toThrow();
  });
});

describe('a run of a persona', () => {
  it('calls a number that has it, with its voice and the agent of the version under test', async () => {
    const persona = await personaOf({ agent: 'sip:anna@example.com' });
    const granted = { persona: { id: persona, version: 1, knowledge_ids: [] }, voice: 'warm' };
    expect(await called({ persona })).toMatchObject({
      number: null,
      agent_uri: 'sip:anna@example.com;transport=tcp',
      ...granted,
    });
    const phone = await number();
    await user.post(`/personas/${persona}/versions/promote`);
    await attach('personas', persona, phone);
    expect(await called({ persona })).toMatchObject({
      number: phone.slice(1),
      agent_uri: 'sip:anna@example.com;transport=tcp',
      ...granted,
    });
    await expect(called({ persona, version: 7 })).rejects.toThrow('Version 7 of the persona does not exist');
  });

  it('without an agent gets the number’s own, in place of the live version’s', async () => {
    const persona = await personaOf({ agent: 'sip:live@example.com' });
    await expect(called({ persona: await personaOf() })).rejects.toThrow('has this persona');
    await user.post(`/personas/${persona}/versions/promote`);
    const own = await number({ agent: 'sip:own@example.com' });
    await attach('personas', persona, own);
    await user.patch(`/personas/${persona}`, { agent: null });
    expect(await called({ persona, version: 2 })).toMatchObject({
      number: own.slice(1),
      agent_uri: 'sip:own@example.com;transport=tcp',
    });
  });

  it('follows its pathway, and the number’s own in its place', async () => {
    const [ofPersona, ofNumber] = [await pathwayOf(), await pathwayOf()];
    for (const id of [ofPersona, ofNumber]) await user.post(`/pathways/${id}/versions/promote`);
    const persona = await personaOf({ pathway_id: ofPersona });
    await user.post(`/personas/${persona}/versions/promote`);
    const phone = await number();
    await attach('personas', persona, phone);
    expect(await called({ persona })).toMatchObject({ pathway: { id: ofPersona, version: 1 } });
    await attach('pathways', ofNumber, phone);
    expect(await called({ persona })).toMatchObject({ pathway: { id: ofNumber, version: 1 } });
  });
});

it('says which number a scenario calls', async () => {
  const [pathway, phone] = [await pathwayOf(), await number()];
  const numberOf = (destination: string | undefined, pathway_id: string | null) =>
    calledNumber(api.database, user.organizationId, {
      persona_id: null,
      pathway_id,
      voice: { destination },
    });
  expect(await numberOf(undefined, null)).toBeNull();
  expect(await numberOf(undefined, pathway)).toBeNull();
  await attach('pathways', pathway, phone);
  expect(await numberOf(undefined, pathway)).toBe(phone.slice(1));
  expect(await numberOf('sip:a@example.com', null)).toBeNull();
  expect(await numberOf('+14155550998', null)).toBe('14155550998');
});
