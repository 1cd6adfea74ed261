import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { documentWith } from '../../../unit/control/pathways/sample-document.js';
import { Twin } from './twin.js';
import { type ApiUser, WholeApi } from './whole-api.js';

let api: WholeApi;
let user: ApiUser;
let stranger: ApiUser;
beforeAll(async () => {
  api = await WholeApi.shared();
}, 300_000);
beforeEach(async () => {
  [user, stranger] = [await api.user(), await api.user()];
});

interface Resource {
  readonly path: string;
  /** Where a new one is made, if not at `path`. */
  readonly creation?: string;
  /** The field of the list. */
  readonly list: string;
  readonly id: string;
  /** The body that creates one of that name. */
  readonly body: (name: string) => object;
  /** What has the name. */
  readonly nameOf: (found: Record<string, unknown>) => unknown;
  /** False: there is no request for one of them. */
  readonly isReadAlone?: boolean;
  /** A change that sets the name; absent: it cannot be changed. */
  readonly change?: (name: string) => object;
  readonly changeBy?: 'put' | 'post';
  /** True: it stays readable by its id, as deleted. */
  readonly isKept?: boolean;
  /** Of one that is not there. */
  readonly unknown?: string;
  readonly isOldestFirst?: boolean;
  /** True: no two organizations can have the same id. */
  readonly isIdUnique?: boolean;
}

const agent = { url: 'https://agent.example.com/v1', model: 'front-desk' };
const named = (name: string): object => ({ name });

const resources: readonly Resource[] = [
  {
    path: '/pathways',
    list: 'pathways',
    id: 'id',
    body: (name) => ({ name, document: documentWith() }),
    nameOf: ({ name }) => name,
    change: named,
  },
  { path: '/personas', list: 'personas', id: 'id', body: named, nameOf: ({ name }) => name, change: named },
  {
    path: '/contacts',
    creation: '/contacts/resolve',
    list: 'contacts',
    id: 'id',
    body: (name) => ({ name, external_id: name }),
    nameOf: ({ name }) => name,
    change: named,
  },
  {
    path: '/webhooks',
    isIdUnique: true,
    list: 'webhooks',
    id: 'webhook_id',
    body: (name) => ({ url: 'https://example.com/hooks', description: name }),
    nameOf: ({ description }) => description,
    change: (name) => ({ description: name }),
  },
  {
    path: '/sip/maintenance-windows',
    isIdUnique: true,
    list: 'windows',
    id: 'window_id',
    body: (name) => ({
      name,
      time_zone: 'Europe/Berlin',
      schedule: { type: 'weekly', weekdays: ['sunday'], start_time: '02:00', duration_minutes: 120 },
    }),
    nameOf: ({ name }) => name,
    change: named,
  },
  {
    path: '/trunks',
    isIdUnique: true,
    list: 'trunks',
    id: 'trunk_id',
    body: (name) => ({ name, directions: [{ type: 'inbound', allowed_ips: ['203.0.113.0/24'] }] }),
    nameOf: ({ name }) => name,
    change: named,
  },
  {
    path: '/agents',
    list: 'agents',
    id: 'agent_id',
    body: (name) => ({ tools: [`TL-${name}`] }),
    nameOf: ({ tools }) => (tools as string[])[0]!.slice(3),
    change: (name) => ({ tools: [`TL-${name}`] }),
    changeBy: 'post',
  },
  {
    path: '/agent-testing/scenarios',
    list: 'scenarios',
    id: 'id',
    body: (name) => ({ name, agent, tester_persona_prompt: 'You want an appointment.' }),
    nameOf: ({ name }) => name,
    change: named,
    changeBy: 'put',
  },
  {
    path: '/sip/agent-credentials',
    isIdUnique: true,
    list: 'agent_credentials',
    id: 'credential_id',
    body: named,
    nameOf: ({ name }) => name,
    isReadAlone: false,
    isOldestFirst: true,
  },
  {
    path: '/knowledge',
    creation: '/knowledge/learn',
    list: 'kbs',
    id: 'id',
    body: (name) => ({ type: 'text', name, text: 'We open at nine.' }),
    nameOf: ({ name }) => name,
    change: named,
    changeBy: 'put',
    unknown: 'KB_ERROR',
    isKept: true,
  },
];

const create = async (
  by: ApiUser,
  { path, creation = path, body, id }: Resource,
  name: string,
): Promise<string> => {
  const { status, data, body: whole } = await by.post(creation, body(name));
  expect(status, JSON.stringify(whole)).toBe(200);
  return (data[id] ?? data.contact?.[id]) as string;
};

const namesOf = async (by: ApiUser, { path, list, nameOf }: Resource, query = ''): Promise<unknown[]> => {
  const { data, body } = await by.get(`${path}${query}`);
  expect(data, JSON.stringify(body)).toBeTruthy();
  return data[list].map(nameOf);
};

describe.each(resources)('$path', (resource) => {
  const { path, nameOf, change, changeBy = 'patch', isReadAlone = true, isOldestFirst = false } = resource;
  const { isIdUnique = false } = resource;
  const { unknown = 'NOT_FOUND', isKept = false } = resource;
  const ordered = (names: string[]): string[] => (isOldestFirst ? names : names.toReversed());

  it('lists what was created, in order, to its own organization alone', async () => {
    expect(await namesOf(user, resource)).toEqual([]);
    for (const name of ['first', 'second', 'third']) await create(user, resource, name);
    expect(await namesOf(user, resource)).toEqual(ordered(['first', 'second', 'third']));
    expect(await namesOf(stranger, resource)).toEqual([]);
  });

  it('lists in pages, of which the last says that it is the last', async () => {
    for (const name of ['first', 'second', 'third']) await create(user, resource, name);
    await create(stranger, resource, 'other');
    const first = await user.get(`${path}?limit=2`);
    expect(first.data[resource.list].map(nameOf)).toEqual(ordered(['first', 'second', 'third']).slice(0, 2));
    expect([first.body.has_more, typeof first.body.next]).toEqual([true, 'string']);
    const last = await user.get(`${path}?limit=2&after=${encodeURIComponent(first.body.next)}`);
    expect(last.data[resource.list].map(nameOf)).toEqual(ordered(['first', 'second', 'third']).slice(2));
    expect([last.body.has_more, last.body.next]).toEqual([false, null]);
    const exact = await user.get(`${path}?limit=3`);
    expect([exact.body.has_more, exact.body.next]).toEqual([false, null]);
  });

  it('deletes only what is there, and only one of the own organization', async () => {
    const [kept, gone] = [await create(user, resource, 'kept'), await create(user, resource, 'gone')];
    const refused = await stranger.delete(`${path}/${gone}`);
    expect([refused.status, refused.error]).toEqual([404, unknown]);
    expect(await namesOf(user, resource)).toEqual(ordered(['kept', 'gone']));
    expect((await user.delete(`${path}/${gone}`)).status).toBe(200);
    expect(await namesOf(user, resource)).toEqual(['kept']);
    if (isReadAlone) expect((await user.get(`${path}/${kept}`)).status).toBe(200);
    if (isKept) return;
    expect((await user.delete(`${path}/${gone}`)).status).toBe(404);
    if (isReadAlone) expect((await user.get(`${path}/${gone}`)).status).toBe(404);
  });

  // For others there is no such request.
  if (isReadAlone)
    it('is shown to its own organization alone', async () => {
      const id = await create(user, resource, 'mine');
      await create(user, resource, 'another');
      const { status, data } = await user.get(`${path}/${id}`);
      expect([status, nameOf(data)]).toEqual([200, 'mine']);
      const refused = await stranger.get(`${path}/${id}`);
      expect([refused.status, refused.error]).toEqual([404, unknown]);
    });

  if (!isIdUnique)
    it('reads and changes no row of another organization that has the same ids', async () => {
      const [first, second] = [await create(user, resource, 'first'), await create(user, resource, 'second')];
      const twin = await Twin.of(api, user.organizationId);
      expect(twin.tables).not.toEqual([]);
      expect(await namesOf(user, resource)).toEqual(ordered(['first', 'second']));
      if (isReadAlone) expect(nameOf((await user.get(`${path}/${first}`)).data)).toBe('first');
      if (change !== undefined) {
        expect(nameOf((await user[changeBy](`${path}/${first}`, change('after'))).data)).toBe('after');
        expect(await twin.changed()).toEqual([]);
      }
      expect((await user.delete(`${path}/${second}`)).status).toBe(200);
      expect(await twin.changed()).toEqual([]);
    });

  if (change !== undefined)
    it('changes that one alone, for its own organization alone', async () => {
      const [changed, same] = [await create(user, resource, 'before'), await create(user, resource, 'same')];
      expect((await stranger[changeBy](`${path}/${changed}`, change('stolen'))).status).toBe(404);
      expect(nameOf((await user.get(`${path}/${changed}`)).data)).toBe('before');
      const { status, data } = await user[changeBy](`${path}/${changed}`, change('after'));
      expect([status, nameOf(data)]).toEqual([200, 'after']);
      expect(nameOf((await user.get(`${path}/${changed}`)).data)).toBe('after');
      expect(nameOf((await user.get(`${path}/${same}`)).data)).toBe('same');
    });
});
