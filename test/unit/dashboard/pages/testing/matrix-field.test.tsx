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
  return { ...shown, changed: () => changes.at(-1)! };
}

it('adds a field, takes its values one a line, and says how many combinations they have', () => {
  const empty = form(emptyMatrix);
  expect(empty.text).not.toContain('combination');
  empty.elements('button')[0]!.onClick();
  const added = form(empty.changed());
  added.elements('select')[0]!.onChange({ currentTarget: { value: 'max_turns' } });
  const chosen = form(added.changed());
  chosen.elements('textarea')[0]!.onInput({ currentTarget: { value: '2\n4' } });
  const filled = form(chosen.changed());
  expect(filled.text).toContain('Now 2 combinations.');
  filled.elements('input')[0]!.onInput({ currentTarget: { valueAsNumber: 1 } });
  expect(readMatrix(filled.changed())).toEqual({
    matrix: { fields: { max_turns: [2, 4] }, seed: 1, sample: 1 },
  });
  filled.elements('button')[0]!.onClick();
  expect(filled.changed().rows).toEqual([]);
});

it('asks for the name of another field', () => {
  const other = { key: 'one', path: '', otherPath: 'request_data.city', values: 'Graz' };
  const { elements } = form({ ...emptyMatrix, rows: [other] });
  expect(elements('input')[0]!.value).toBe('request_data.city');
});
