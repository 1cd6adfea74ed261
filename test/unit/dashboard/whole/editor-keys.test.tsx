import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VersionPage } from '../../../../src/dashboard/pages/pathways/version-page.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';
import type { PageElement } from './page-document.js';

let api: ExampleApi;
let page: OpenedPage;
let field: PageElement;
beforeEach(async () => {
  api = await ExampleApi.open();
  signInAs();
  api.answer('getPathwayVersion', (data) => ({ ...data, warnings: [], document: { nodes: [] } }));
  page = await OpenedPage.open(
    api,
    '/pathways/:id/versions/:version',
    VersionPage,
    '/pathways/x1/versions/1',
  );
  field = page.field('Document as JSON');
  vi.stubGlobal('getComputedStyle', () => ({ lineHeight: '20px' }));
});
afterEach(closePages);

const key = async (name: string, fields: object = {}): Promise<boolean> => {
  let isPrevented = false;
  await page.dispatch(field, 'keydown', {
    key: name,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    preventDefault: () => {
      isPrevented = true;
    },
    ...fields,
  });
  return isPrevented;
};

describe('the keys of the editor', () => {
  const before = JSON.stringify({ nodes: [] }, null, 2);
  beforeEach(() => page.type(field, '[]'));

  it.each([
    ['Control+Z', 'z', { ctrlKey: true }],
    ['Command+Z', 'z', { metaKey: true }],
  ])('undo: %s', async (_name, letter, fields) => {
    expect(await key(letter, fields)).toBe(true);
    expect(field.value).toBe(before);
  });

  it.each([
    ['Control+Y', 'y', { ctrlKey: true }],
    ['Control+Shift+Z', 'Z', { ctrlKey: true, shiftKey: true }],
  ])('redo: %s', async (_name, letter, fields) => {
    await key('z', { ctrlKey: true });
    expect(await key(letter, fields)).toBe(true);
    expect(field.value).toBe('[]');
  });

  it.each([
    ['without Control', 'z', {}],
    ['with Alt', 'z', { ctrlKey: true, altKey: true }],
    ['other letters', 'x', { ctrlKey: true }],
  ])('are left to the browser: %s', async (_name, letter, fields) => {
    expect(await key(letter, fields)).toBe(false);
    expect(field.value).toBe('[]');
  });
});

describe('a fault of the text', () => {
  it('is found by its line', async () => {
    await page.type(field, '{\n  "nodes": [\n}');
    const gone: unknown[] = [];
    Object.assign(field, {
      focus: () => gone.push('focus'),
      setSelectionRange: (from: number, to: number) => gone.push([from, to]),
    });
    await page.press('Go to line 3');
    expect(gone).toEqual(['focus', [15, 15]]);
    expect((field as { scrollTop?: number }).scrollTop).toBe(0);
  });
});

describe('a refused document', () => {
  const refused = async (): Promise<readonly string[]> => {
    api.refuse('replacePathwayDocument', 409, 'CONFLICT', 'The version is live.');
    await page.type(field, '{"nodes":[{"id":"a"}]}');
    await page.press('Save draft');
    return page.all('.problem');
  };

  it('lists the reasons', async () => {
    expect(await refused()).toEqual(['Not saved The version is live.']);
    expect(page.all('.fault-list')).toEqual(['The version is live.']);
  });
});
