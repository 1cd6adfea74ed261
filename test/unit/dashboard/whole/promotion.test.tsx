import { afterEach, expect, it } from 'vitest';
import { VersionPage } from '../../../../src/dashboard/pages/pathways/version-page.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';

afterEach(closePages);

it('keeps what is typed beside a promotion, and reads the version again', async () => {
  const api = await ExampleApi.open();
  signInAs();
  const live = (version: object | null): void => {
    api.answer('getPathway', (data) => ({
      ...data,
      promotion: null,
      current_production_version: version,
    }));
  };
  live(null);
  const page = await OpenedPage.open(
    api,
    '/pathways/:id/versions/:version',
    VersionPage,
    '/pathways/x1/versions/1',
  );
  const reads = (): number => api.sent.filter(({ operation }) => operation === 'getPathwayVersion').length;
  const before = reads();
  const reason = page.field('Reason');
  await page.type(reason, 'Try a question first');
  live({ id: 'v1', version_number: 1 });
  await page.press('Promote version');
  expect(reads()).toBeGreaterThan(before);
  expect(page.field('Reason') === reason, 'the same field').toBe(true);
  await page.press('Fork version');
  expect(api.sent.at(-1)).toMatchObject({ operation: 'forkPathwayVersion' });
  expect(JSON.stringify(api.sent.at(-1)!.body)).toContain('Try a question first');
});
