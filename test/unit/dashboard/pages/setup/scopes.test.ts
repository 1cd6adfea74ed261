import { describe, expect, it } from 'vitest';
import { allScopes } from '../../../../../src/control/http/scopes.js';
import {
  listenScope,
  scopeGroups,
  scopeOf,
  toggled,
} from '../../../../../src/dashboard/pages/setup/scopes.js';

describe('the scopes of a key', () => {
  it('are all in a group of the page', () => {
    const shown = scopeGroups.flatMap(([, areas]) =>
      areas.flatMap((area) => [scopeOf(area, 'read'), scopeOf(area, 'write')]),
    );
    expect([...shown, listenScope].sort()).toEqual([...allScopes].sort());
  });

  it('are the smallest list that says the same', () => {
    expect(toggled(['calls:read'], 'calls', 'write', true)).toEqual(['calls:write']);
    expect(toggled(['calls:write'], 'calls', 'write', false)).toEqual(['calls:read']);
    expect(toggled(['usage:read', 'calls:write'], 'calls', 'read', false)).toEqual(['usage:read']);
  });
});
