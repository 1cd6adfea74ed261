import { expect, it } from 'vitest';
import {
  emptyMatrix,
  type MatrixDraft,
  readMatrix,
} from '../../../../../src/dashboard/pages/testing/matrix-draft.js';
import { MatrixField } from '../../../../../src/dashboard/pages/testing/matrix-field.js';
import { rendered } from '../../rendered.js';

function form(draft: MatrixDraft) {
  const changes: MatrixDraft[] = [];
  const shown = rendered(<MatrixField draft={draft} onChange={(changed) => changes.push(changed)} />);
  return {
    ...shown,
    changed: () => changes.at(-1)!,
    button: (text: string) =>
      shown.elements('button').find(({ children }) => [children].flat().includes(text))!,
    input: (placeholder: string) =>
      shown.elements('input').find(({ placeholder: own }) => own === placeholder)!,
  };
}

it('adds a field, takes its values one a line, and says how many combinations they have', () => {
  const empty = form(emptyMatrix);
  expect(empty.text).not.toContain('Now');
  empty.button('Add a field').onClick();
  const added = form(empty.changed());
  added.elements('select')[0]!.onChange({ currentTarget: { value: 'max_turns' } });
  const chosen = form(added.changed());
  chosen.elements('textarea')[0]!.onInput({ currentTarget: { value: '2\n4' } });
  const filled = form(chosen.changed());
  expect(filled.text).toContain('Now 2 combinations.');
  filled.input('All').onInput({ currentTarget: { valueAsNumber: 1 } });
  expect(readMatrix(filled.changed())).toEqual({
    matrix: { fields: { max_turns: [2, 4] }, seed: 1, sample: 1 },
  });
  filled.button('Remove').onClick();
  expect(filled.changed().rows).toEqual([]);
});

it('asks for the name of another field', () => {
  const otherField = { key: 'one', path: '', otherPath: 'request_data.city', values: 'Graz' };
  const { input } = form({ ...emptyMatrix, rows: [otherField] });
  expect(input('request_data.city').value).toBe('request_data.city');
});
