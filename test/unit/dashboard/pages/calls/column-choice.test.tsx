import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '../../../../../src/dashboard/api/session.js';
import { ColumnChoice, useColumns } from '../../../../../src/dashboard/pages/calls/column-choice.js';
import { type ColumnName, defaultColumns } from '../../../../../src/dashboard/pages/calls/columns.js';
import { type Rendered, rendered } from '../../rendered.js';
import { signInAs } from '../../visitor.js';

const items = new Map<string, string>();
beforeEach(() => {
  signInAs();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => items.set(name, value),
    removeItem: (name: string) => items.delete(name),
  });
});
afterEach(() => {
  session.value = undefined;
  items.clear();
  vi.unstubAllGlobals();
});

function Choice() {
  const [columns, choose] = useColumns();
  return <ColumnChoice columns={columns} onChoose={choose} />;
}

const opened = (): Rendered => rendered(<Choice />);
const ticked = ({ all, elements }: Rendered): readonly string[] => {
  const names = all('label');
  return elements('input').flatMap(({ checked }, index) => (checked === true ? [names[index]!] : []));
};
const tick = ({ all, elements }: Rendered, name: string, checked: boolean): void =>
  elements('input')[all('label').indexOf(name)]!.onChange({ currentTarget: { checked } });

const usual = ['From', 'To', 'Talked', 'MOS', 'Direction', 'Ended'];

describe('the choice of columns', () => {
  it('has a labelled box for each column in a named group, the usual ones ticked', () => {
    const choice = opened();
    expect(choice.all('summary')).toEqual(['Columns']);
    expect(choice.all('legend')).toEqual(['Columns of past calls']);
    expect(choice.elements('input')).toHaveLength(choice.all('label').length);
    expect(ticked(choice)).toEqual(usual);
  });

  it('is kept in the browser, apart for each organization', () => {
    tick(opened(), 'Call-ID', true);
    tick(opened(), 'MOS', false);
    const changed = ['From', 'To', 'Talked', 'Direction', 'Ended', 'Call-ID'];
    expect(ticked(opened())).toEqual(changed);
    signInAs({ organization: { id: 'o2', name: 'Other', sip_enabled: true, region: null } });
    expect(ticked(opened())).toEqual(usual);
    signInAs();
    expect(ticked(opened())).toEqual(changed);
  });

  it('goes back to the default, and nothing stays stored', () => {
    tick(opened(), 'Address', true);
    expect(items.size).toBe(1);
    opened().elements('button')[0]!.onClick();
    expect(items.size).toBe(0);
    expect(ticked(opened())).toEqual(usual);
  });

  it('works where the browser blocks storage', () => {
    const refuse = (): never => {
      throw new Error('SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    const chosen: (readonly ColumnName[])[] = [];
    expect(ticked(opened())).toEqual(usual);
    expect(() => tick(opened(), 'Address', true)).not.toThrow();
    tick(
      rendered(<ColumnChoice columns={defaultColumns} onChoose={(all) => chosen.push(all)} />),
      'To',
      false,
    );
    expect(chosen).toEqual([defaultColumns.filter((name) => name !== 'to')]);
  });
});
