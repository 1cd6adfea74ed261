import { describe, expect, it } from 'vitest';
import { nearestTests } from '../../../dev/mutants/nearest-tests.js';

const tests = [
  { path: 'test/contract/control/contacts/lists.test.ts', text: 'contacts' },
  { path: 'test/contract/control/contacts/merge.test.ts', text: 'contacts, merged' },
  { path: 'test/contract/control/porting/orders.test.ts', text: 'porting' },
  { path: 'test/contract/hep/traces.test.ts', text: 'hep' },
];

describe('the tests of a mutant', () => {
  it('begin with those that name its subject', () => {
    expect(nearestTests('src/control/contacts/merge.ts', tests)).toEqual([
      'test/contract/control/contacts/merge.test.ts',
      'test/contract/control/contacts/lists.test.ts',
      'test/contract/control/porting/orders.test.ts',
      'test/contract/hep/traces.test.ts',
    ]);
  });

  it('include those that reach it and never name it', () => {
    expect(nearestTests('src/edge/trace/store.ts', tests.slice(3))).toEqual([
      'test/contract/hep/traces.test.ts',
    ]);
  });

  it('are none where none reaches it', () => {
    expect(nearestTests('src/dashboard/parts/panel.tsx', [])).toEqual([]);
  });
});
