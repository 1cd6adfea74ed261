import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PathwaysPage } from '../../../../src/dashboard/pages/pathways/pathways-page.js';
import { VersionPage } from '../../../../src/dashboard/pages/pathways/version-page.js';
import { PersonaPage } from '../../../../src/dashboard/pages/personas/persona-page.js';
import { PersonasPage } from '../../../../src/dashboard/pages/personas/personas-page.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';

let api: ExampleApi;
beforeEach(async () => {
  api = await ExampleApi.open();
  signInAs();
});
afterEach(closePages);

describe.each([
  ['personas', PersonasPage, 'listPersonas', 'createPersona', 'Create', 'No personas', ''],
  ['pathways', PathwaysPage, 'listPathways', 'createPathway', 'Create', 'No pathways', '/edit'],
] as const)('the %s', (list, component, operation, creation, button, none, end) => {
  const open = (): Promise<OpenedPage> => OpenedPage.open(api, `/${list}`, component);

  it('are listed with their drafts', async () => {
    api.answer(operation, (data) => ({
      [list]: [
        { ...data[list][0], id: 'x1', name: 'Desk', current_draft_version: null },
        { ...data[list][0], id: 'x2', name: 'Sales' },
      ],
    }));
    const page = await open();
    const [, first, second] = page.all('tr');
    expect(first).toMatch(/^Desk .*None/);
    expect(second).toMatch(/^Sales /);
    const links = page.elements('a').map((link) => link.getAttribute('href'));
    expect(links).toEqual(expect.arrayContaining([`/${list}/x1`, `/${list}/x2`]));
  });

  it('are explained where there are none', async () => {
    api.answer(operation, () => ({ [list]: [] }));
    expect((await open()).all('.empty-title')).toEqual([none]);
  });

  it('are created by a name, and opened', async () => {
    const page = await open();
    await page.fill('Name', 'Desk');
    api.refuse(creation, 409, 'X', 'You have too many.');
    await page.press(button);
    expect(page.all('.problem')).toEqual([expect.stringContaining('You have too many.')]);
    expect(page.led).toEqual([]);
    api.answer(creation, (data) => ({ ...data, id: 'x9' }));
    await page.press(button);
    expect(api.changesSent.at(-1)!.body).toMatchObject({ name: 'Desk' });
    expect(page.led).toEqual([`/${list}/x9${end}`]);
    expect(page.all('.problem')).toEqual([]);
  });
});

describe('a persona', () => {
  const open = (): Promise<OpenedPage> => OpenedPage.open(api, '/personas/:id', PersonaPage, '/personas/p1');
  const persona = (change: (data: Record<string, object>) => object): void =>
    api.answer('getPersona', (data) => ({ ...data, id: 'p1', name: 'Desk', ...change(data) }));

  it('has numbers, which are attached and detached', async () => {
    persona(() => ({ inbound_numbers: ['+14155550100'] }));
    const page = await open();
    expect(page.all('h1')).toEqual(['Desk']);
    await page.fill('Number', ' +14155550101 ');
    await page.press('Attach');
    expect(page.field('Number').value).toBe('');
    await page.press('Detach +14155550100');
    expect(api.changesSent).toMatchObject([
      { operation: 'attachPersonaNumbers', body: { inbound_numbers: ['+14155550101'] } },
      { operation: 'detachPersonaNumbers', body: { inbound_numbers: ['+14155550100'] } },
    ]);
    api.refuse('attachPersonaNumbers', 400, 'VALIDATION_ERROR', 'It is not yours.');
    await page.fill('Number', '1');
    await page.press('Attach');
    expect(page.all('.problem')).toContain('Not changed It is not yours.');
    expect(page.field('Number').value).toBe('1');
  });

  it('without numbers says so', async () => {
    persona(() => ({ inbound_numbers: [] }));
    expect((await open()).all('.empty-title')).toContain('No numbers');
  });

  it('is promoted from its draft, unless a promotion is under way', async () => {
    const draft = (promotion: object | null) =>
      persona((data) => ({
        current_draft_version: {
          ...(data.current_draft_version ?? data.current_production_version),
          version_number: 4,
        },
        promotion,
      }));
    draft(null);
    const page = await open();
    expect(page.all('h2')).toContain('Draft, version 4');
    await page.press('Promote');
    expect(api.changesSent.map(({ operation }) => operation)).toEqual(['promotePersona']);
    const running = {
      version_number: 4,
      status: 'RUNNING',
      started_at: '2026-11-20T10:00:00Z',
      finished_at: null,
    };
    draft({ ...running, scenarios: [], problem: null, requested_by: 'Ada', reasons: [], runs: [] });
    const busy = await open();
    await expect(busy.press('Promote')).rejects.toThrow('disabled');
  });

  it('without a draft has nothing to promote', async () => {
    persona(() => ({ current_draft_version: null, promotion: null }));
    const page = await open();
    expect(page.all('h2').filter((text) => /^Draft, version|Last promotion/.test(text))).toEqual([]);
    expect(page.elements('button').map(({ text }) => text)).not.toContain('Promote');
  });

  it('is deleted at the second click, and the list is shown', async () => {
    persona(() => ({}));
    const page = await open();
    await page.press('Delete persona');
    await page.press('Delete for good');
    expect(api.changesSent.map(({ operation }) => operation)).toEqual(['deletePersona']);
    expect(page.led).toEqual(['/personas']);
  });
});

describe('a version of a pathway', () => {
  const open = (): Promise<OpenedPage> =>
    OpenedPage.open(api, '/pathways/:id/versions/:version', VersionPage, '/pathways/w1/versions/3');
  const version = (fields: object): void =>
    api.answer('getPathwayVersion', (data) => ({
      ...data,
      version_number: 3,
      version_type: 'archived',
      forked_from: null,
      warnings: [],
      ...fields,
    }));
  const live = (number: number): void =>
    api.answer('getPathway', (data) => ({
      ...data,
      id: 'w1',
      name: 'Appointments',
      promotion: null,
      current_production_version: {
        ...(data.current_production_version ?? data.current_draft_version),
        version_number: number,
      },
    }));
  const versions = (...numbers: number[]): void =>
    api.answer('listPathwayVersions', (data) => ({
      versions: numbers.map((version_number) => ({ ...data.versions[0], version_number })),
    }));
  const compared = (): (string | null)[] =>
    api.sent
      .filter(({ operation }) => operation === 'comparePathwayVersions')
      .map(({ url }) => url.replace('/v1/pathways/w1/versions/', ''));

  it('is compared with the live one, or with another that is chosen', async () => {
    version({});
    live(5);
    versions(5, 3, 2);
    const page = await open();
    expect(page.all('h1')).toEqual(['Appointments, version 3']);
    expect(page.all('option').filter((text) => /version/i.test(text))).toEqual([
      'Choose a version',
      'Version 5, live',
      'Version 2',
    ]);
    expect(page.field('Since').value).toBe('5');
    await page.fill('Since', '2');
    const [first, second] = compared();
    expect(first).toContain('5');
    expect(second).toContain('2');
    await page.fill('Since', '');
    expect(page.all('.empty-title')).toContain('No version to compare with');
  });

  it('is compared with none at first where it is live', async () => {
    version({ version_type: 'production' });
    live(3);
    versions(3, 2);
    const page = await open();
    expect(page.all('.empty-title')).toContain('No version to compare with');
    expect(compared()).toEqual([]);
  });

  it('is compared with what it was forked from, and can be deleted as a fork', async () => {
    version({ version_type: 'fork', forked_from: 2 });
    live(5);
    versions(5, 3, 2);
    const page = await open();
    expect(page.field('Since').value).toBe('2');
    await page.press('Delete fork');
    await page.press('Delete for good');
    expect(api.changesSent.map(({ operation }) => operation)).toEqual(['deletePathwayFork']);
    expect(page.led).toEqual(['/pathways/w1']);
  });

  it('without differences says so', async () => {
    version({});
    live(5);
    versions(5, 3);
    api.answer('comparePathwayVersions', (data) => ({ ...data, changes: [] }));
    const page = await open();
    expect(page.all('.empty-title')).toContain('No changes since version 5');
    expect(page.elements('button').map(({ text }) => text)).not.toContain('Delete fork');
  });

  it('is forked with a reason, and the fork is opened', async () => {
    version({});
    live(5);
    versions(5, 3);
    const page = await open();
    await page.fill('Reason', ' Shorter ');
    api.refuse('forkPathwayVersion', 409, 'X', 'Too many forks.');
    await page.press('Fork version 3');
    expect(page.all('.problem')).toEqual(['Not forked Too many forks.']);
    api.answer('forkPathwayVersion', (data) => ({ ...data, version_number: 6 }));
    await page.press('Fork version 3');
    expect(api.changesSent.at(-1)!.body).toEqual({ note: 'Shorter' });
    expect(page.led).toEqual(['/pathways/w1/versions/6']);
  });

  it('names what to check before it is promoted', async () => {
    version({ warnings: [{ message: 'No edge leads here.' }] });
    live(5);
    versions(5, 3);
    expect((await open()).all('.fault-list')).toEqual(['No edge leads here.']);
    version({});
    expect((await open()).all('.fault-list')).toEqual([]);
  });
});
