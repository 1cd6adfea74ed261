import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContactPage } from '../../../../src/dashboard/pages/contacts/contact-page.js';
import { ContactsPage } from '../../../../src/dashboard/pages/contacts/contacts-page.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';

let api: ExampleApi;
beforeEach(async () => {
  api = await ExampleApi.open();
  signInAs();
});
afterEach(closePages);

const at = '2026-11-20T10:00:00Z';
const identifier = (identifier_type: string, identifier_value: string) => ({
  id: identifier_value,
  identifier_type,
  identifier_value,
  created_at: at,
});

describe('the contacts', () => {
  const open = (query = ''): Promise<OpenedPage> =>
    OpenedPage.open(api, '/contacts', ContactsPage, `/contacts${query}`);
  const answer = (contacts: readonly object[], next: string | null = null): void =>
    api.answer(
      'listContacts',
      (data) => ({ contacts: contacts.map((contact) => ({ ...data.contacts[0], ...contact })) }),
      next,
    );

  it('are shown with their identifiers, each in its column', async () => {
    answer([
      {
        id: 'c1',
        name: 'Jane Doe',
        identifiers: [
          identifier('email', 'jane@example.com'),
          identifier('phone_number', '+14155550100'),
          identifier('phone_number', '+14155550101'),
        ],
      },
      { id: 'c2', name: '', identifiers: [identifier('external_id', 'crm-7')] },
    ]);
    const page = await open();
    const [, jane, unnamed] = page.all('tr');
    expect(jane).toMatch(/^Jane Doe \+1 ?415.*0100, .*0101 jane@example.com – /);
    expect(unnamed).toMatch(/^crm-7 – – crm-7 /);
    expect(page.elements('a').map((link) => link.getAttribute('href'))).toEqual(
      expect.arrayContaining(['/contacts/c1', '/contacts/c2']),
    );
  });

  it('are searched by what is written', async () => {
    const page = await open();
    await page.fill('Name, number', '  Jane ');
    await page.press('Search');
    await page.fill('Name, number', ' ');
    await page.press('Search');
    expect(page.led).toEqual(['/contacts?search=Jane', '/contacts']);
  });

  it('are asked for by a search, beside which nothing is added', async () => {
    answer([]);
    const page = await open('?search=Jane');
    expect(api.sent.map(({ url }) => url)).toEqual([expect.stringMatching(/^\/v1\/contacts\?.*search=Jane/)]);
    expect(page.field('Name, number').value).toBe('Jane');
    expect(page.all('.empty-title')).toEqual(['No contact matches “Jane”']);
    expect(page.text).not.toContain('Add');
  });

  it('are explained where there are none', async () => {
    answer([]);
    expect((await open()).all('.empty-title')).toContain('No contacts yet');
  });

  it('are shown in pages, which keep the search', async () => {
    answer([{}], 'next-1');
    const links = async (query: string): Promise<readonly string[]> => {
      const page = await open(query);
      const [pages] = page.elements('nav');
      return pages!.within.map((link) => `${link.text} ${link.getAttribute('href')}`);
    };
    expect(await links('?search=Jane')).toEqual(['Older /contacts?search=Jane&after=next-1']);
    expect(await links('?search=Jane&after=a')).toEqual([
      'Newest /contacts?search=Jane',
      'Older /contacts?search=Jane&after=next-1',
    ]);
    answer([{}]);
    expect(await links('?after=a')).toEqual(['Newest /contacts']);
  });
});

describe('a contact', () => {
  const open = (): Promise<OpenedPage> => OpenedPage.open(api, '/contacts/:id', ContactPage, '/contacts/c1');
  const contact = (fields: object = {}): void =>
    api.answer('getContact', (data) => ({
      ...data,
      id: 'c1',
      name: 'Jane Doe',
      identifiers: [identifier('phone_number', '+14155550100'), identifier('email', 'jane@example.com')],
      metadata: { plan: 'gold', seats: 3 },
      memories: [],
      ...fields,
    }));
  const facts = (page: OpenedPage): string[] => {
    const values = page.all('dd');
    return page.all('dt').map((name, index) => `${name}: ${values[index]}`);
  };

  it('is shown with its identifiers and your data', async () => {
    contact();
    const page = await open();
    expect(page.all('h1')).toEqual(['Jane Doe']);
    expect(facts(page)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Number: \+1 ?415/),
        'Email address: jane@example.com',
        'plan: gold',
        'seats: 3',
        'Contact id: c1',
      ]),
    );
    expect(page.all('.empty-title')).toContain('No memory yet');
  });

  it('says that it is gone once it was deleted', async () => {
    api.refuse('getContact', 404, 'NOT_FOUND', 'Contact not found.');
    const page = await open();
    expect(page.all('h1')).toEqual(['Contact']);
    expect(page.all('.empty-title')).toEqual(['Contact not found']);
    expect(page.text).not.toContain('Export data');
  });

  it('gets another name, without the spaces around it', async () => {
    contact();
    const page = await open();
    await page.fill('Name', ' Joan ');
    await page.press('Save name');
    expect(api.changesSent).toEqual([
      { operation: 'updateContact', url: '/v1/contacts/c1', body: { name: 'Joan' } },
    ]);
    expect(page.all('span')).toContain('Saved.');
    // What it is called now is read again.
    expect(api.sent.filter(({ operation }) => operation === 'getContact')).toHaveLength(2);
    api.refuse('updateContact', 400, 'VALIDATION_ERROR', 'name is too long.');
    await page.press('Save name');
    expect(page.all('span')).toContain('name is too long.');
  });

  it('is remembered: facts, open items, what was talked about, and messages', async () => {
    const memory = {
      persona_id: 'p1',
      agent_number: null,
      summary: 'Wants a table.',
      facts: { allergic_to: 'nuts', is_regular: true },
      open_items: [
        { type: 'follow_up', description: 'Call back', priority: 'high', related_to: null, created_at: at },
        {
          type: 'question',
          description: 'Which day',
          priority: 'low',
          related_to: { entity_type: 'table_order', entity_id: '7' },
          created_at: at,
        },
      ],
      entities: [
        {
          entity_type: 'table_order',
          entity_id: '7',
          status: 'in_progress',
          facts: { guests: 4, is_outside: false },
          notes: 'By the window',
          last_discussed_at: at,
        },
        { entity_type: 'dog', entity_id: 'Rex', status: '', facts: {}, notes: null, last_discussed_at: at },
      ],
      recent_messages: [
        { role: 'user', channel: 'voice', content: 'Hello', timestamp: at },
        { role: 'assistant', channel: 'voice', content: 'Good day', timestamp: at },
      ],
    };
    api.answer('getContact', (data) => ({ ...data, memories: [{ ...data.memories[0], ...memory }] }));
    const page = await open();
    expect(page.text).toContain('Persona p1');
    expect(page.all('.memory-summary')).toEqual(['Wants a table.']);
    expect(facts(page)).toEqual(expect.arrayContaining(['allergic to: nuts', 'is regular: yes']));
    const rows = page.all('tr');
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Call back\s*follow up high – /),
        expect.stringMatching(/^Which day\s*question low table order 7 /),
        expect.stringMatching(/^table order 7\s*By the window in progress guests: 4, is outside: no /),
        expect.stringMatching(/^dog Rex – – /),
      ]),
    );
    expect(page.all('li')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Hello Contact, voice/),
        expect.stringMatching(/^Good day Agent, voice/),
      ]),
    );
  });

  it('has no empty tables where little is remembered', async () => {
    const memory = {
      persona_id: '',
      agent_number: '+14155550100',
      summary: '',
      facts: {},
      open_items: [],
      entities: [],
      recent_messages: [],
    };
    api.answer('getContact', (data) => ({ ...data, memories: [{ ...data.memories[0], ...memory }] }));
    const page = await open();
    expect(page.text).toContain('Agent without a persona, number +1');
    expect(page.all('h3')).toEqual([]);
    expect(page.all('.memory-summary')).toEqual([]);
  });

  it('takes in another one that is found, after a question', async () => {
    contact();
    api.answer('listContacts', (data) => ({
      ...data,
      contacts: ['c1', 'c2', 'c3'].map((id) => ({ ...data.contacts[0], id, name: `Name ${id}` })),
    }));
    const page = await open();
    await page.fill('Other contact', ' Name ');
    await page.press('Find');
    // Not with itself.
    expect(page.all('.checks li').length + page.all('.checks').length).toBeGreaterThan(0);
    expect(page.all('.checks')[0]).not.toContain('Name c1');
    await page.press('Choose');
    expect(page.text).toContain('Merge Name c2 into Jane Doe?');
    await page.press('Keep both');
    expect(page.text).not.toContain('Merge Name c2');
    await page.press('Choose');
    await page.press('Merge for good');
    expect(api.changesSent).toMatchObject([
      {
        operation: 'mergeContacts',
        body: { primary_contact_id: 'c1', duplicate_contact_id: 'c2' },
      },
    ]);
    expect(page.text).toContain('Name c2 is merged into this contact.');
  });

  it('says that no other one matches, and why a merge is refused', async () => {
    contact();
    api.answer('listContacts', (data) => ({ ...data, contacts: [{ ...data.contacts[0], id: 'c1' }] }));
    const page = await open();
    await page.press('Find');
    expect(page.all('.empty-title')).toContain('No other contact matches');
    api.refuse('listContacts', 503, 'SERVICE_UNAVAILABLE', 'Down.');
    await page.press('Find');
    expect(page.all('.problem-title')).toContain('Not merged');
  });

  it('is deleted once its name is written, and the page says what was removed', async () => {
    contact();
    api.answer('deleteContact', (data) => ({
      ...data,
      deletion_id: 'd1',
      removed: { ...data.removed, memories: 2, calls: 14, active_calls: 1 },
    }));
    const page = await open();
    await page.press('Delete contact');
    await page.press('Keep it');
    await page.press('Delete contact');
    await expect(page.press('Delete for good')).rejects.toThrow('disabled');
    await page.fill('Write Jane Doe', 'Jane');
    await expect(page.press('Delete for good')).rejects.toThrow('disabled');
    await page.fill('Write Jane Doe', ' Jane Doe ');
    await page.press('Delete for good');
    expect(api.changesSent.map(({ operation }) => operation)).toEqual(['deleteContact']);
    expect(page.all('h1')).toEqual(['Contact deleted']);
    expect(facts(page)).toEqual([
      'Memories: 2',
      'Calls that no longer name it: 14',
      'Active calls, whose records will not name it: 1',
      'In the audit log: d1',
    ]);
  });

  it('stays when its deletion is refused', async () => {
    contact();
    api.refuse('deleteContact', 409, 'CONFLICT', 'A call is active.');
    const page = await open();
    await page.press('Delete contact');
    await page.fill('Write', 'Jane Doe');
    await page.press('Delete for good');
    expect(page.all('.problem')).toEqual(['Not deleted A call is active.']);
    expect(page.all('h1')).toEqual(['Jane Doe']);
  });

  it('has its calls in pages', async () => {
    contact();
    api.answer('listContactCalls', (data) => data, 'n1');
    const page = await open();
    const cursors = (): (string | null)[] =>
      api.sent
        .filter(({ operation }) => operation === 'listContactCalls')
        .map(({ url }) => new URL(url, 'http://x').searchParams.get('after'));
    expect(page.elements('button').map(({ text }) => text)).not.toContain('Newer');
    await page.press('Older');
    await page.press('Newer');
    expect(cursors()).toEqual([null, 'n1', null]);
    api.answer('listContactCalls', () => ({ calls: [] }));
    await page.press('Older');
    expect(page.all('.empty-title')).toContain('No calls in the history');
  });

  it('names what was merged into it', async () => {
    contact();
    api.answer('listContactMerges', (data) => ({ ...data, merges: data.merges.slice(0, 1) }));
    expect((await open()).all('h2')).toContain('Merged into this contact');
    api.answer('listContactMerges', (data) => ({ ...data, merges: [] }));
    expect((await open()).all('h2')).not.toContain('Merged into this contact');
    api.refuse('listContactMerges', 503, 'SERVICE_UNAVAILABLE', 'Down.');
    expect((await open()).all('.problem-title')).toContain('No merges to show');
  });
});
