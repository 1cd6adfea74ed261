import { describe, expect, it } from 'vitest';
import { applyFix, undoFix, valueAt } from '../../../../src/control/agent-testing/tornado/fix.js';
import { evaluate, type ScenarioOutcome } from '../../../../src/control/agent-testing/tornado/outcome.js';
import { documentWith } from '../pathways/sample-document.js';

const outcome = (
  id: string,
  status: ScenarioOutcome['status'],
  signature = 'x',
  error: string | null = null,
): ScenarioOutcome => ({
  scenario_id: id,
  run_id: `run ${id}`,
  status,
  signature,
  error,
});
const evaluated = (
  iterations: readonly (readonly ScenarioOutcome[])[],
  unfixableIds: readonly string[] = [],
  maximum = 5,
) => evaluate(iterations, { unfixableIds, maximum });

describe('what follows from an iteration', () => {
  it('is the end when all passed', () => {
    expect(evaluated([[outcome('a', 'PASSED')]])).toEqual({
      passedIds: ['a'],
      failedIds: [],
      newlyUnfixableIds: [],
      decision: { kind: 'COMPLETED_ALL_PASSED' },
    });
  });

  it('is a fix of what failed, until the last iteration', () => {
    const latest = [outcome('a', 'FAILED'), outcome('b', 'PASSED'), outcome('c', 'ERROR')];
    expect(evaluated([latest]).decision).toEqual({ kind: 'fix', failed: [latest[0]] });
    expect(evaluated([latest]).failedIds).toEqual(['a', 'c']);
    expect(evaluated([latest], [], 1).decision).toEqual({ kind: 'COMPLETED_PARTIAL' });
    expect(evaluated([[], latest], [], 3).decision.kind).toBe('fix');
  });

  it('is an error when no run could be judged', () => {
    expect(evaluated([[outcome('a', 'ERROR', 'x', 'The model is down.')]]).decision).toEqual({
      kind: 'ERROR',
      message: 'The model is down.',
    });
    expect(evaluated([[outcome('a', 'CANCELLED')]]).decision).toMatchObject({
      message: 'The runs were cancelled.',
    });
  });

  it('gives a scenario up when two fixes in a row left its outcome as it was', () => {
    const same = [outcome('a', 'FAILED')];
    expect(evaluated([same, same]).newlyUnfixableIds).toEqual([]);
    expect(evaluated([same, same, same])).toMatchObject({
      newlyUnfixableIds: ['a'],
      decision: { kind: 'STUCK' },
    });
    expect(evaluated([same, [outcome('a', 'FAILED', 'y')], same]).newlyUnfixableIds).toEqual([]);
    expect(evaluated([same, [outcome('a', 'PASSED')], same]).newlyUnfixableIds).toEqual([]);
    expect(evaluated([[outcome('a', 'FAILED', 'z')], same, same, same]).newlyUnfixableIds).toEqual(['a']);
  });

  it('fixes the others of a scenario that was given up', () => {
    const latest = [outcome('a', 'FAILED'), outcome('b', 'FAILED')];
    expect(evaluated([latest], ['a']).decision).toEqual({ kind: 'fix', failed: [latest[1]] });
    expect(evaluated([latest], ['a', 'b']).decision).toEqual({ kind: 'STUCK' });
    expect(evaluated([latest, latest, latest], ['a']).newlyUnfixableIds).toEqual(['b']);
  });
});

describe('a fix of a pathway', () => {
  const document = documentWith();
  const problem = (path: string, value: unknown): string | undefined =>
    applyFix(document, { path, value }).problem;
  const fixed = (path: string, value: unknown) => {
    const made = applyFix(document, { path, value });
    if (made.problem !== undefined) throw new Error(made.problem);
    return made.document;
  };

  it('changes one field, and can be undone', () => {
    const after = fixed('nodes.greeting.prompt', 'Ask {{caller}} kindly.');
    expect(valueAt(after, 'nodes.greeting.prompt')).toBe('Ask {{caller}} kindly.');
    const fix = {
      path: 'nodes.greeting.prompt',
      before: 'Ask {{caller}} for a day.',
      after: 'Ask {{caller}} kindly.',
    };
    const undone = undoFix(after, fix);
    expect(undone.problem ?? valueAt(undone.document!, fix.path)).toBe(fix.before);
    expect(undoFix(document, fix).problem).toBe(
      'nodes.greeting.prompt was changed since; change it by hand.',
    );
  });

  it('undoes an added node that was moved in the graph since', () => {
    const path = 'nodes.sorry';
    const added = fixed(path, { name: 'Sorry', type: 'end', text: 'Sorry.' });
    const fix = { path, before: null, after: valueAt(added, path) };
    const moved = structuredClone(added);
    moved.nodes.at(-1)!.position = { x: 10, y: 10 };
    const undone = undoFix(moved, fix);
    expect(undone.problem ?? valueAt(undone.document!, path)).toBeNull();
  });

  it('adds and removes edges and simple nodes', () => {
    const edge = { source: 'greeting', target: 'goodbye', label: 'Hangs up' };
    expect(valueAt(fixed('edges.hangup', edge), 'edges.hangup')).toMatchObject({ ...edge, id: 'hangup' });
    expect(
      valueAt(
        fixed('edges.refused', { source: 'greeting', target: 'human', label: 'Asks' }),
        'edges.refused',
      ),
    ).toMatchObject({
      label: 'Asks',
    });
    expect(problem('edges.none', null)).toBe('There is no edge none.');
    expect(problem('nodes.none', null)).toBe('There is no node none.');
    expect(problem('nodes.human', null)).toBe('Fixes remove no transfer nodes.');
  });

  it.each([
    ['nodes.human.transfer_to', '+1', 'transfer_to is decided by people'],
    ['nodes.lookup.webhook', {}, 'webhook is decided by people'],
    ['edges.named.source', 'human', 'source is decided by people'],
    ['nodes.none.prompt', 'x', 'There is no node none.'],
    ['edges.none.label', 'x', 'There is no edge none.'],
    ['nodes.greeting', { type: 'default' }, 'Change single fields of a node.'],
    ['nodes.new', { type: 'transfer' }, 'Fixes add only nodes of the types default and end.'],
    ['nodes.new', { type: 'end', kb_ids: ['k'] }, 'kb_ids is decided by people.'],
    ['nodes.new', [], 'The value must be an object.'],
    ['edges.new', 'x', 'The value must be an object.'],
    ['nodes.greeting.prompt', 'Ask {{caller}} for a day.', 'It changes nothing.'],
  ])('is refused at %s', (path, value, words) => {
    expect(problem(path, value)).toContain(words);
  });

  it('is refused when conversations could not follow the result', () => {
    expect(problem('edges.named.target', 'nowhere')).toEqual(expect.any(String));
    expect(problem('nodes.greeting.name', 7)).toMatch(/^nodes\.0\.name: /);
  });

  it('has the value before it', () => {
    expect(valueAt(document, 'settings.global_prompt')).toBe(document.settings.global_prompt);
    expect(valueAt(document, 'nodes.none')).toBeNull();
    expect(valueAt(document, 'nodes.human.prompt')).toBeNull();
    expect(valueAt(document, 'other.human')).toBeNull();
  });
});
