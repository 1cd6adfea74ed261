import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CreatedKey, Key } from '../../../../../src/dashboard/api/keys.js';
import { session } from '../../../../../src/dashboard/api/session.js';
import { CreateKey } from '../../../../../src/dashboard/pages/setup/create-key.js';
import { KeyTable, NewKey } from '../../../../../src/dashboard/pages/setup/keys-page.js';
import { zone } from '../../../../../src/dashboard/parts/format.js';
import { now } from '../../../../../src/dashboard/parts/time.js';
import { type Rendered, rendered } from '../../rendered.js';
import { signInAs } from '../../visitor.js';

const present = Date.parse('2026-11-22T12:00:00Z');
const nothing = (): void => undefined;

beforeEach(() => {
  vi.useFakeTimers({ now: present, toFake: ['Date'] });
  zone.value = 'utc';
  now.value = present;
  signInAs();
});
afterEach(() => {
  vi.useRealTimers();
  zone.value = 'local';
  session.value = undefined;
});

const key = (fields: Partial<Key> = {}): Key =>
  ({
    id: 'k2',
    name: 'billing',
    prefix: 'sk-demarc-wxyz',
    operator: false,
    scopes: null,
    created_at: '2026-11-20T10:00:00Z',
    last_used_at: null,
    expires_at: null,
    revoked_at: null,
    ...fields,
  }) as Key;

const table = (fields: Partial<Key> = {}, canRevoke = true): Rendered =>
  rendered(<KeyTable keys={[key(fields)]} canRevoke={canRevoke} onRevoked={nothing} />);

describe('a key in the list', () => {
  it.each<[Partial<Key>, string, boolean]>([
    [{}, 'Active', true],
    [{ expires_at: '2026-11-22T12:00:01Z' }, 'Activeuntil 12:00:01', true],
    [{ expires_at: '2026-11-22T12:00:00Z' }, 'Expiredsince 12:00:00', false],
    [{ expires_at: '2026-11-19T09:00:00Z' }, 'Expiredsince 19 Nov 09:00:00', false],
    [{ revoked_at: '2026-11-21T08:00:00Z' }, 'Revoked21 Nov 08:00:00', false],
    // A key that was revoked before it expired stays revoked.
    [
      { revoked_at: '2026-11-21T08:00:00Z', expires_at: '2026-11-21T09:00:00Z' },
      'Revoked21 Nov 08:00:00',
      false,
    ],
  ])('with %j is %s', (fields, state, isRevocable) => {
    const { all } = table(fields);
    expect(all('td')[0]).toBe(`${state}Never used`);
    expect(all('button').some((text) => text.startsWith('Revoke'))).toBe(isRevocable);
  });

  it.each<[Partial<Key>, string]>([
    [{}, 'All rights'],
    [{ scopes: ['calls:read', 'keys:write'] }, 'calls:read, keys:write'],
    [{ scopes: [] }, ''],
    [{ operator: true }, 'OperatorAll rights'],
  ])('with %j has the rights "%s"', (fields, rights) => {
    expect(table(fields).all('td')[1]).toBe(rights);
  });

  it('says when it was last used', () => {
    const { all } = table({ last_used_at: '2026-11-22T11:55:00Z' });
    expect(all('td')[0]).toContain('Used 5 min ago');
    expect(all('td')[2]).toBe('5 min ago');
    expect(table().all('td')[2]).toBe('Never');
  });

  it('says that it is the key of this session', () => {
    expect(table({ id: 'k1' }).text).toContain('this session');
    expect(table().text).not.toContain('this session');
  });

  it('cannot be revoked by a session that lacks the scope', () => {
    expect(table({}, false).all('button')).toEqual([]);
  });

  it('shows its first characters alone, and a created one all of them once', () => {
    expect(table().text).toContain('sk-demarc-wxyz…');
    const created = { name: 'billing', key: 'sk-demarc-wxyz-and-the-rest' } as CreatedKey;
    expect(rendered(<NewKey created={created} />).text).toMatch(
      /^Key billing created Shown only now.* sk-demarc-wxyz-and-the-rest/,
    );
  });
});

describe('the form of a new key', () => {
  const form = (own: Parameters<typeof CreateKey>[0]['own'], latest: string | null = null): Rendered =>
    rendered(<CreateKey own={own} latest={latest} onCreated={nothing} onCancel={nothing} />);
  const boxes = (own: Parameters<typeof CreateKey>[0]['own']) =>
    form(own)
      .elements('input')
      .filter(({ type }) => type === 'checkbox');

  it('offers all rights first to a session that has all', () => {
    expect(boxes(null)).toEqual([]);
    expect(form(null).text).toContain('All rights of the organization');
  });

  it('lets a limited session pass on what it has: write includes read', () => {
    const offered = boxes(['calls:read', 'trunks:write']).filter(({ disabled }) => !disabled);
    expect(offered.map(({ name }) => name)).toEqual(['trunks:read', 'trunks:write', 'calls:read']);
    const { text } = form(['calls:read', 'trunks:write']);
    expect(text).toContain('The scopes of this session');
    expect(text).toContain('This session lacks calls:write.');
    expect(text).toContain('This session lacks alerts:read.');
    expect(text).not.toContain('This session lacks trunks');
  });

  it('starts with no scope chosen', () => {
    expect(boxes(['calls:write']).filter(({ checked }) => checked)).toEqual([]);
  });

  it('ends not before today and not after the key of the session', () => {
    const date = (latest: string | null) =>
      form(null, latest)
        .elements('input')
        .find(({ type }) => type === 'date')!;
    expect(date(null)).toMatchObject({ min: '2026-11-22', max: undefined });
    expect(date('2026-12-24T18:00:00Z').max).toBe('2026-12-24');
    expect(form(null).text).toContain('Empty: it does not expire');
    expect(form(null, '2026-12-24T18:00:00Z').text).toContain('Empty: with the key of this session');
  });
});
