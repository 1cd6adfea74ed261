import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallsPage } from '../../../../src/dashboard/pages/calls/calls-page.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';

let api: ExampleApi;
beforeEach(async () => {
  api = await ExampleApi.open();
  signInAs();
});
afterEach(closePages);

describe('past calls', () => {
  const open = (count: number): Promise<OpenedPage> => {
    api.answer('listCallRecords', (data) => ({
      ...data,
      calls: Array.from({ length: count }, (_, index) => ({ ...data.calls[0], call_id: `c${index}` })),
    }));
    return OpenedPage.open(api, '/calls', CallsPage);
  };
  const links = (page: OpenedPage): (string | null)[] =>
    page.elements('a').map((link) => link.getAttribute('href'));

  it('lead each to its page', async () => {
    const page = await open(2);
    expect(links(page)).toEqual(expect.arrayContaining(['/calls/c0', '/calls/c1']));
    expect(page.all('.empty-title')).toEqual([]);
  });

  it('are explained where there are none', async () => {
    expect((await open(0)).all('.empty-title')).toHaveLength(1);
  });
});
