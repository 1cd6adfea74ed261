import { describe, expect, it } from 'vitest';
import { changedPaths, isSame, valueAt, withEdits } from '../../../../src/dashboard/forms/edits.js';
import { moved } from '../../../../src/dashboard/forms/moved.js';

describe('the edits of a form', () => {
  const before = { options: { port: 5061, sip_username: 'acme' }, list: [{ host: 'a' }, { host: 'b' }] };

  it('change what they name and nothing else', () => {
    const after = withEdits(before, { 'options.port': 5062, 'list.1.host': 'c', agent: 'sip:a.example' });
    expect(after).toEqual({
      options: { port: 5062, sip_username: 'acme' },
      list: [{ host: 'a' }, { host: 'c' }],
      agent: 'sip:a.example',
    });
    expect(before.list[1]).toEqual({ host: 'b' });
    expect(valueAt(after, 'list.1.host')).toBe('c');
    expect(valueAt(after, 'options.tls_ca')).toBeUndefined();
  });

  it('are no changes when they are what the API has, or an empty text where it has nothing', () => {
    expect(changedPaths(before, { 'options.port': 5061, agent: '', 'options.sip_realm': undefined })).toEqual(
      [],
    );
    expect(changedPaths(before, { 'options.port': undefined, agent: 'x' })).toEqual([
      'options.port',
      'agent',
    ]);
  });

  it('tell an empty list, which allows nothing, from none', () => {
    expect(isSame({ mode: 'bridge', allowed_targets: [] }, { mode: 'bridge' })).toBe(false);
    expect(isSame({ mode: 'bridge', allowed_targets: undefined }, { mode: 'bridge' })).toBe(true);
  });
});

it('a moved entry leaves the order of the others', () => {
  expect(moved(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
  expect(moved(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c']);
});
