import { describe, expect, it } from 'vitest';
import {
  begin,
  change,
  changedField,
  redo,
  undo,
} from '../../../../../src/dashboard/pages/pathways/edit-history.js';

describe('the history of an editor', () => {
  it('takes changes back and makes them again, one by one', () => {
    const last = change(change(begin('a'), 'b'), 'c');
    const first = undo(undo(last));
    expect([undo(last).text, first.text, undo(first).text]).toEqual(['b', 'a', 'a']);
    expect([redo(first).text, redo(redo(first)).text, redo(last).text]).toEqual(['b', 'c', 'c']);
  });

  it('takes the letters of a field back as one step, until another field changes', () => {
    let history = change(change(begin(''), 'n', 'name'), 'na', 'name');
    history = change(change(history, 'na p', 'prompt'), 'na pr', 'prompt');
    expect(undo(history).text).toBe('na');
    expect(undo(undo(history)).text).toBe('');
    // After undo, the same field begins another step.
    expect(undo(change(undo(history), 'na x', 'prompt')).text).toBe('na');
  });

  it('forgets what was undone once something else changes', () => {
    const history = change(undo(change(begin('a'), 'b')), 'c');
    expect(history.future).toEqual([]);
    expect(redo(history).text).toBe('c');
  });

  it('keeps no step for a change that changes nothing', () => {
    expect(change(begin('a'), 'a').past).toEqual([]);
  });

  it('keeps the last hundred steps, and less of large documents', () => {
    let history = begin('0');
    for (let step = 1; step <= 150; step++) history = change(history, `${step}`);
    expect([history.past.length, history.past[0]]).toEqual([100, '50']);
    let large = begin('');
    for (let step = 1; step <= 30; step++) large = change(large, `${step}`.padEnd(1_000_000));
    expect(large.past).toHaveLength(20);
  });

  it.each([
    ['a text', { a: [{ b: 'x' }] }, { a: [{ b: 'y' }] }, '.a.0.b'],
    ['a text that was absent', { a: 1 }, { a: 1, b: 'x' }, '.b'],
    ['two texts', { a: 1, b: 1 }, { a: 2, b: 2 }, undefined],
    ['a row', { a: [] }, { a: [{ b: 'x' }] }, undefined],
    ['nothing', { a: 1 }, { a: 1 }, undefined],
  ])('knows which field changed: %s', (_, before, after, field) => {
    expect(changedField(before, after)).toBe(field);
  });
});
