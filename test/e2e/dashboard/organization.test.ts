import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Visitor } from '../browser.js';
import { inbound, Visit } from './visit.js';

const number = '+13175550161';
const password = 'correct horse battery staple';

let visit: Visit;
let owner: Visitor;

beforeAll(async () => {
  visit = await Visit.begin(import.meta.filename);
  await visit.attach(number, inbound());
  owner = await visit.visitor();
});
afterAll(() => visit?.end());

/** The picture and the accessibility of a page, on a desktop and on a phone at night. */
async function look(visitor: Visitor, what: string): Promise<void> {
  await visitor.expectAccessible(what);
  await visitor.picture(what);
  await visitor.onPhone(async () => {
    await visitor.expectAccessible(`${what} on a phone`);
    await visitor.picture(`${what}-phone`);
  });
}

describe('members', () => {
  let viewer: Visitor;

  it('are invited by a link that is shown once, and set a password with it', async () => {
    const { page } = owner;
    await owner.open('/members');
    await page.getByText('No members yet').waitFor();
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByRole('radio', { name: /^Viewer/ }).check();
    await page.getByRole('button', { name: 'Invite' }).click();
    const link = (await page.locator('.shown-once code').textContent())!;
    expect(link).toMatch(/\/join#[\w-]{43}$/);
    await look(owner, 'members-invitation');
    viewer = await visit.stranger();
    await viewer.open(`/join#${link.split('#')[1]}`);
    await viewer.heading(/^Join organization/);
    await viewer.page.getByLabel('Your name').fill('Ada Lovelace');
    await viewer.page.getByLabel('Password', { exact: true }).fill(password);
    await look(viewer, 'join');
    await viewer.page.getByRole('button', { name: 'Join' }).click();
    await viewer.heading('Overview');
    const again = await visit.stranger();
    await again.open(`/join#${link.split('#')[1]}`);
    await again.page.getByText('The link is not valid').waitFor();
  });

  it('see why a button is disabled for their role, and the next page after it was changed', async () => {
    const { page } = viewer;
    await viewer.open('/members');
    await expect.poll(() => page.getByRole('button', { name: 'Invite' }).isDisabled()).toBe(true);
    await page.getByText('Your role is viewer').waitFor();
    await viewer.open('/members/audit');
    await page.getByText('The audit log is for owners').waitFor();
    await owner.page.reload();
    await owner.page.getByLabel('Role of Ada Lovelace').selectOption('owner');
    await expect
      .poll(async () => {
        await page.reload();
        await viewer.heading('Audit log');
        return page.getByText('The audit log is for owners').count();
      })
      .toBe(0);
    await page.getByText('Invite a person').first().waitFor();
    await page.getByText('ada@example.com viewer').first().waitFor();
    await look(viewer, 'audit-log');
  });

  it('sign in with email and password, and change it', async () => {
    const { page } = viewer;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await viewer.heading('Sign in to Demarc');
    await page.getByLabel('Email', { exact: true }).fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('The email address or the password is wrong.').waitFor();
    await look(viewer, 'sign-in-password');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await viewer.heading('Audit log');
    await viewer.open('/members/account');
    await page.getByLabel('Present password').fill(password);
    await page.getByLabel('New password').fill('eleven blue cups on the shelf');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Changed. All other sessions have ended.').waitFor();
    await look(viewer, 'account');
  });

  it('lose their session in the moment in which they are removed', async () => {
    const { page } = owner;
    await owner.open('/members');
    // The last owner cannot be removed, and the page says so.
    await page.getByRole('button', { name: 'Remove …' }).click();
    await page.getByRole('button', { name: 'Remove for good' }).click();
    await page.getByText('The last owner cannot be removed').waitFor();
    await visit.system
      .ask('POST', '/v1/invitations', { email: 'grace@example.com', role: 'owner' })
      .then(async ({ data }) => {
        const other = await visit.stranger();
        await other.open(`/join${new URL(data.link).hash}`);
        await other.page.getByLabel('Your name').fill('Grace Hopper');
        await other.page.getByLabel('Password', { exact: true }).fill(password);
        await other.page.getByRole('button', { name: 'Join' }).click();
        await other.heading('Overview');
      });
    await owner.open('/members');
    const ada = page.getByRole('row').filter({ hasText: 'ada@example.com' });
    await look(owner, 'members');
    await ada.getByRole('button', { name: 'Remove …' }).click();
    await ada.getByRole('button', { name: 'Remove for good' }).click();
    await expect.poll(() => ada.count()).toBe(0);
    await viewer.page.reload();
    await viewer.heading('Sign in to Demarc');
  });

  it('break no rule of the browser on any page', () => {
    expect([...owner.problems, ...viewer.problems]).toEqual([]);
  });
});
