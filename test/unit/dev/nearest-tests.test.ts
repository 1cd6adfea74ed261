import { describe, expect, it } from 'vitest';
import { nearestTests } from '../../../dev/mutants/nearest-tests.js';

const tests = [
  { path: 'test/contract/control/contacts/lists.test.ts', text: 'contacts' },
  { path: 'test/contract/control/contacts/merge.test.ts', text: 'contacts, merged' },
  { path: 'test/contract/control/porting/orders.test.ts', text: 'porting' },
  { path: 'test/contract/hep/traces.test.ts', text: 'hep' },
];

describe('the contract tests of a mutant', () => {
  it('begin with those that name its subject', () => {
    expect(nearestTests('src/control/contacts/merge.ts', tests, new Set(), 7)).toEqual([
      'test/contract/control/contacts/merge.test.ts',
      'test/contract/control/contacts/lists.test.ts',
      'test/contract/control/porting/orders.test.ts',
    ]);
  });

  it('include those that import it under another name', () => {
    expect(
      nearestTests('src/edge/trace/store.ts', tests, new Set(['test/contract/hep/traces.test.ts']), 7),
    ).toEqual(['test/contract/hep/traces.test.ts']);
  });

  it('include those that run its whole area, however far that is from it', () => {
    const near = Array.from({ length: 9 }, (_, index) => ({
      path: `test/unit/edge/call/call-${index}.test.ts`,
      text: '',
    }));
    const whole = { path: 'test/unit/edge/whole/inbound.test.ts', text: '' };
    const wholeCalls = { path: 'test/unit/engine/whole/inbound.test.ts', text: '' };
    const all = [...near, wholeCalls, whole];
    const found = nearestTests('src/edge/call/modify.ts', all, new Set(all.map(({ path }) => path)), 5);
    expect(found).toContain(whole.path);
    expect(found).not.toContain(wholeCalls.path);
  });

  it('are none where no test speaks of the source', () => {
    expect(nearestTests('src/dashboard/parts/panel.tsx', tests, new Set(), 7)).toEqual([]);
  });

  it('are few enough to run for each mutant', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      path: `test/contract/porting/${index}.test.ts`,
      text: '',
    }));
    expect(nearestTests('src/control/porting/orders.ts', many, new Set(), 7)).toHaveLength(7);
  });
});
