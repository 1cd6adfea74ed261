import { beforeEach, describe, expect, it } from 'vitest';
import { FieldsOf } from '../../../../../src/dashboard/forms/fields.js';
import type { FormState } from '../../../../../src/dashboard/forms/use-form.js';
import { FailoverFields } from '../../../../../src/dashboard/pages/trunks/edit/failover-fields.js';
import { type Rendered, rendered } from '../../rendered.js';

const path = 'failover_config.endpoints';
let changes: [name: string, value: unknown][];
beforeEach(() => {
  changes = [];
});

const shown = (backups?: readonly object[]): Rendered =>
  rendered(
    <FieldsOf
      form={
        {
          value: (name: string) => (name === path ? backups : undefined),
          problemAt: () => undefined,
          set: (name: string, value: unknown) => changes.push([name, value]),
        } as unknown as FormState
      }
    >
      <FailoverFields />
    </FieldsOf>,
  );
const button = (page: Rendered, label: string) => {
  const found = page.elements('button').find((each) => each['aria-label'] === label);
  if (found === undefined) throw new Error(`no button ${label}`);
  return found;
};
const [first, second] = [
  { host: 'a.example', priority: 3 },
  { host: '', priority: 5 },
];

describe('the backup servers of a trunk', () => {
  it('are said to be none', () => {
    expect(shown().text).toContain('None now.');
    expect(shown([first]).text).not.toContain('None now.');
  });

  it('are named by host, or by place while they have none', () => {
    const page = shown([first, second]);
    for (const name of ['a.example', 'backup 2']) {
      button(page, `Move ${name}`);
      button(page, `Remove ${name}`);
    }
  });

  it('are removed one at a time', () => {
    button(shown([first, second]), 'Remove a.example').onClick();
    button(shown([first, second]), 'Remove backup 2').onClick();
    expect(changes).toEqual([
      [path, [second]],
      [path, [first]],
    ]);
  });

  it('are added behind the others, at most two', () => {
    const add = (backups?: readonly object[]) =>
      shown(backups)
        .elements('button')
        .find(({ children }) => Array.isArray(children) && children.includes('Add backup server'))!;
    add().onClick();
    add([first]).onClick();
    expect(changes).toEqual([
      [path, [{ host: '', priority: 1 }]],
      [path, [first, { host: '', priority: 4 }]],
    ]);
    expect([add([first]).disabled, add([first, second]).disabled]).toEqual([false, true]);
    expect(shown([first]).text).not.toContain('At most 2.');
    expect(shown([first, second]).text).toContain('At most 2.');
  });
});
