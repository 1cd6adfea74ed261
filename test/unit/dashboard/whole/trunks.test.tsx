import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  NewSharedTrunkPage,
  SharedTrunkPage,
  SharedTrunksPage,
} from '../../../../src/dashboard/pages/trunks/shared/trunk-pages.js';
import { TrunksPage } from '../../../../src/dashboard/pages/trunks/trunks-page.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';

let api: ExampleApi;
beforeEach(async () => {
  api = await ExampleApi.open();
  signInAs();
});
afterEach(closePages);

describe('the numbers', () => {
  const open = (query = ''): Promise<OpenedPage> =>
    OpenedPage.open(api, '/trunks', TrunksPage, `/trunks${query}`);
  const trunks = (list: readonly object[], next: string | null = null): void =>
    api.answer(
      'listTrunkHealth',
      (data) => ({
        ...data,
        trunks: list.map((each, index) => ({
          ...data.trunks[0],
          phone_number: `+1415555010${index}`,
          ...each,
        })),
      }),
      next,
    );
  const links = (page: OpenedPage): (string | null)[] =>
    page
      .elements('nav')
      .flatMap(({ within }) => within.map((link) => `${link.text} ${link.getAttribute('href')}`));

  it('are listed with their server, or without one to check', async () => {
    trunks([
      { endpoint: null, registration: null, checked_at: null, cause: null, directions: ['inbound'] },
      { endpoint: 'sip:pbx.example.com', cause: 'Timed out', directions: ['inbound', 'outbound'] },
    ]);
    const page = await open();
    const [, without, withOne] = page.all('tr').filter((text) => /Number|0100|0101/.test(text));
    expect(without).toContain('No server to check');
    expect(without).toContain('–');
    expect(withOne).not.toContain('No server to check');
    expect(withOne).toContain('Timed out');
    expect(withOne).toContain('Inbound, Outbound');
    expect(withOne).toContain('sip:pbx.example.com');
  });

  it('are asked for by the state and page of the address', async () => {
    trunks([{}], 'n1');
    expect(links(await open())).toEqual(['Next /trunks?after=n1']);
    expect(links(await open('?state=failing&after=a'))).toEqual([
      'First /trunks?state=failing',
      'Next /trunks?state=failing&after=n1',
    ]);
    expect(links(await open('?state=nonsense'))).toEqual(['Next /trunks?after=n1']);
    const asked = api.sent.filter(({ operation }) => operation === 'listTrunkHealth').map(({ url }) => url);
    expect(asked[0]).not.toContain('state');
    expect(asked[1]).toMatch(/state=failing/);
    expect(asked[1]).toMatch(/after=a/);
    expect(asked[2]).not.toContain('state');
  });

  it('are explained where there are none, or none in that state', async () => {
    trunks([]);
    expect((await open()).all('.empty-title')).toEqual(['No numbers yet']);
    expect((await open('?state=degraded')).all('.empty-title')).toEqual(['No trunk in this state']);
  });

  it('are found by their digits', async () => {
    trunks([{}]);
    const page = await open();
    await page.fill('Number', ' +1 (415) 555-0100 ');
    await page.press('Go');
    await page.fill('Number', 'none');
    await page.press('Go');
    expect(page.led).toEqual(['/trunks/14155550100']);
  });

  it('are changed together where there are several', async () => {
    trunks([{}]);
    const alone = (await open()).all('h2').length;
    trunks([{}, {}]);
    expect((await open()).all('h2').length).toBe(alone + 1);
  });

  it('are added by sessions that may', async () => {
    trunks([{}]);
    const hrefs = (page: OpenedPage) => page.elements('a').map((link) => link.getAttribute('href'));
    expect(hrefs(await open())).toContain('/trunks/add');
    signInAs({ scopes: ['trunks:read'] });
    const page = await open();
    expect(hrefs(page)).not.toContain('/trunks/add');
    await expect(page.press('Add number')).rejects.toThrow('disabled');
  });
});

describe('the shared trunks', () => {
  const open = (): Promise<OpenedPage> => OpenedPage.open(api, '/trunks/shared', SharedTrunksPage);

  it('are listed by name, or by id, with their servers', async () => {
    api.answer('listTrunks', (data) => ({
      trunks: [
        {
          ...data.trunks[0],
          trunk_id: 't1',
          name: 'Headquarters',
          number_count: 7,
          directions: [
            { type: 'inbound' },
            { type: 'outbound', sip_endpoint: 'sip:a.example' },
            { type: 'outbound', sip_endpoint: 'sip:b.example' },
          ],
        },
        { ...data.trunks[0], trunk_id: 't2', name: '', number_count: 0, directions: [{ type: 'inbound' }] },
      ],
    }));
    const [, named, unnamed] = (await open()).all('tr');
    expect(named).toMatch(/^Headquarters sip:a\.example, sip:b\.example 7 /);
    expect(unnamed).toMatch(/^t2 inbound only 0 /);
  });

  it('are explained where there are none', async () => {
    api.answer('listTrunks', () => ({ trunks: [] }));
    expect((await open()).all('.empty-title')).toEqual(['No shared trunks']);
  });
});

describe('a shared trunk', () => {
  const open = (): Promise<OpenedPage> =>
    OpenedPage.open(api, '/trunks/shared/:id', SharedTrunkPage, '/trunks/shared/t1');
  const trunk = (fields: object): void =>
    api.answer('getTrunk', (data) => ({ ...data, trunk_id: 't1', name: 'Headquarters', ...fields }));

  it('takes numbers, and keeps those that are refused', async () => {
    trunk({ number_count: 2 });
    api.answer('listNumbersOfTrunk', () => ({ phone_numbers: ['+14155550100'] }));
    const page = await open();
    expect(page.all('h1')).toEqual(['Headquarters']);
    expect(page.elements('a').map((link) => link.getAttribute('href'))).toContain('/trunks/14155550100');
    await expect(page.press('Attach')).rejects.toThrow('disabled');
    api.answer('attachNumbersToTrunk', (data) => ({
      ...data,
      failed: [{ phone_number: '+14155550102', message: 'Another organization has it.' }],
    }));
    await page.fill('Numbers to attach', ' +14155550101,+14155550102; ');
    await page.press('Attach');
    expect(api.changesSent.map(({ body }) => body)).toEqual([
      { phone_numbers: ['+14155550101', '+14155550102'] },
    ]);
    expect(page.all('.problem')).toEqual(['Not attached +14155550102: Another organization has it.']);
    expect(page.field('Numbers to attach').value).toBe('+14155550102');
    expect(api.sent.filter(({ operation }) => operation === 'getTrunk')).toHaveLength(2);
    api.refuse('attachNumbersToTrunk', 503, 'X', 'Down.');
    await page.press('Attach');
    expect(page.all('.problem')).toEqual(['Not attached Down.']);
  });

  it('without numbers can be deleted, and says so', async () => {
    trunk({ number_count: 0 });
    api.answer('listNumbersOfTrunk', () => ({ phone_numbers: [] }));
    const page = await open();
    expect(page.text.match(/No number uses this trunk\./g)).toHaveLength(2);
    await page.press('Delete trunk');
    await page.press('Delete for good');
    expect(api.changesSent.map(({ operation }) => operation)).toEqual(['deleteTrunk']);
    expect(page.led).toEqual(['/trunks/shared']);
  });

  it('with numbers says how many are in the way', async () => {
    trunk({ number_count: 1 });
    expect((await open()).text).toContain('1 number of this trunk must be moved or detached first.');
    trunk({ number_count: 3 });
    expect((await open()).text).toContain('3 numbers of this trunk must be moved or detached first.');
  });
});

describe('a new shared trunk', () => {
  const open = (): Promise<OpenedPage> => OpenedPage.open(api, '/trunks/shared/new', NewSharedTrunkPage);

  it('is opened, unless a password must be shown first', async () => {
    const page = await open();
    api.answer('createTrunk', (data) => ({ ...data, trunk_id: 't9', register_password_for_pbx: null }));
    await page.fill('Name', 'Branch');
    await page.press('Save');
    expect(api.changesSent.at(-1)).toMatchObject({ operation: 'createTrunk', body: { name: 'Branch' } });
    expect(page.led).toEqual(['/trunks/shared/t9']);
    const registering = await open();
    api.answer('createTrunk', (data) => ({ ...data, trunk_id: 't9', register_password_for_pbx: 'secret-9' }));
    await registering.fill('Name', 'Branch');
    await registering.press('Save');
    expect(registering.all('h1')).toEqual(['Shared trunk added']);
    expect(registering.text).toContain('secret-9');
    expect(registering.led).toEqual([]);
  });
});
