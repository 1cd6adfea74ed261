import { describe, expect, it } from 'vitest';
import { BeforeAndAfter, type Change, Changes } from '../../../../../src/dashboard/pages/pathways/changes.js';
import { NodeDetails } from '../../../../../src/dashboard/pages/pathways/node-details.js';
import { PathwayGraph } from '../../../../../src/dashboard/pages/pathways/pathway-graph.js';
import { type Rendered, rendered } from '../../rendered.js';

type Drawn = Parameters<typeof PathwayGraph>[0]['document'];
const drawn = {
  start: 'a',
  nodes: [
    { id: 'a', name: 'Greeting', type: 'default' },
    { id: 'b', name: 'A name that is much longer than a box', type: 'transfer' },
    { id: 'c', name: 'Lost', type: 'end' },
  ],
  edges: [{ id: 'ab', from: 'a', to: 'b', label: 'Asks', labelWidth: 40 }],
} as unknown as Drawn;

const graph = (fields: object = {}): Rendered =>
  rendered(<PathwayGraph document={drawn} label="Graph" {...fields} />);
const classesOf = (shown: Rendered, at: number): string =>
  shown.elements('g').filter(({ class: name }) => name.startsWith('node-box'))[at]!.class;

describe('the graph of a pathway', () => {
  it('is nothing without nodes', () => {
    expect(graph({ document: { start: 'a', nodes: [], edges: [] } }).html).toBe('');
  });

  it('says of each node what it is, and whether it can be reached', () => {
    expect(graph().all('title')).toEqual([
      'Greeting, Start · Speaks',
      'A name that is much longer than a box, Transfer',
      'Lost, End · not reachable',
    ]);
    expect([0, 1, 2].map((at) => classesOf(graph(), at))).toEqual([
      'node-box default',
      'node-box transfer',
      'node-box end unreachable',
    ]);
    expect(
      graph()
        .elements('rect')
        .filter(({ class: name }) => name === 'node-shape')
        .map(({ rx }) => rx),
    ).toEqual([8, 23, 23]);
  });

  it('is a picture, or a group of buttons', () => {
    expect(graph().elements('svg')[0]).toMatchObject({
      role: 'img',
      'aria-label': 'Graph: 3 nodes',
      class: undefined,
    });
    const chosen: string[] = [];
    const shown = graph({ onSelect: (id: string) => chosen.push(id), selected: 'b' });
    expect(shown.elements('svg')[0]).toMatchObject({ role: 'group', 'aria-label': 'Nodes' });
    const buttons = shown.elements('g').filter(({ role }) => role === 'button');
    expect(buttons.map((button) => button['aria-pressed'])).toEqual([false, true, false]);
    expect(classesOf(shown, 1)).toContain(' selected');
    buttons[0]!.onClick();
    for (const key of ['Enter', ' ', 'x'])
      buttons[2]!.onKeyDown({ key, preventDefault: () => chosen.push('stopped') });
    expect(chosen).toEqual(['a', 'stopped', 'c', 'stopped', 'c']);
  });

  it('shows the way of a conversation', () => {
    const shown = graph({ visited: ['a', 'b'], current: 'b' });
    expect(shown.elements('svg')[0]!.class).toBe('walked');
    expect(classesOf(shown, 0)).toBe('node-box default visited');
    expect(classesOf(shown, 1)).toBe('node-box transfer visited current');
    expect(
      shown
        .elements('path')
        .filter(({ class: name }) => name?.startsWith('edge'))
        .map(({ class: name }) => name.trim()),
    ).toEqual(['edge taken']);
    expect(shown.all('title')[0]).toBe('Greeting, Start · Speaks, step 1');
    expect(graph({ visited: ['a'] }).html).not.toContain('edge taken');
  });

  it('shortens what was visited many times', () => {
    const badge = (visited: string[]): readonly string[] => graph({ visited }).all('.visit');
    expect(badge(['a', 'b', 'a'])).toEqual(['1 3', '2']);
    expect(badge(['a', 'a', 'a'])).toEqual(['1 ×3']);
    expect(badge([])).toEqual([]);
  });

  it('marks faults and failures', () => {
    const faults = new Map([['b', ['transfer_to is required.']]]);
    const heat = new Map([['a', [3, '3 of 4 failed'] as const]]);
    const shown = graph({ faults, heat });
    expect(classesOf(shown, 1)).toBe('node-box transfer faulty');
    expect(shown.all('.fault')).toEqual(['!']);
    expect(classesOf(shown, 0)).toBe('node-box default heat-3');
    expect(shown.all('.node-words')[0]).toBe('3 of 4 failed');
    expect(shown.all('title')[1]).toContain('transfer_to is required.');
  });

  it('writes the labels of edges that have one', () => {
    expect(graph().all('.edge-label')).toEqual(['Asks']);
    const silent = { ...drawn, edges: [{ ...drawn.edges[0]!, label: '' }] };
    expect(graph({ document: silent }).all('.edge-label')).toEqual([]);
  });
});

describe('the selected node', () => {
  const nodes = [
    {
      id: 'a',
      name: 'Greeting',
      type: 'default',
      text: 'Hello',
      prompt: 'Ask.',
      condition: 'Named',
      extract: [{ name: 'day', type: 'string' }],
    },
    {
      id: 'w',
      name: 'Look up',
      type: 'webhook',
      webhook: { method: 'GET', url: 'https://x', timeout_ms: 500, response_variables: [] },
    },
    { id: 't', name: 'Human', type: 'transfer', transfer_to: '+1415' },
    { id: 'q', name: 'Quiet', type: 'default', extract: [] },
  ];
  const edges = [
    { id: 'e1', source: 'a', target: 'w', label: 'Named' },
    {
      id: 'e2',
      source: 'a',
      target: 'gone',
      label: 'Large',
      when: [
        { variable: 'amount', operator: 'greater_than', value: 100 },
        { variable: 'vip', operator: 'is_set' },
        { variable: 'x', operator: 'like', value: false },
      ],
    },
  ];
  const details = (selected?: string, onSelect = (_id: string) => {}): Rendered =>
    rendered(<NodeDetails document={{ nodes, edges } as never} selected={selected} onSelect={onSelect} />);

  it('is asked for', () => {
    expect(details().text).toContain('No node selected');
    expect(details('none').text).toContain('No node selected');
  });

  it.each([
    ['a', ['Id', 'Says', 'Prompt', 'Stays until', 'Extracts']],
    ['w', ['Id', 'Request', 'Timeout']],
    ['t', ['Id', 'Transfer to']],
    ['q', ['Id']],
  ])('%s has the facts %j', (id, expected) => {
    expect(details(id).all('dt')).toEqual(expected);
  });

  it('leads to the next ones, with their conditions', () => {
    const chosen: string[] = [];
    const shown = details('a', (id) => chosen.push(id));
    expect(shown.all('li')).toEqual([
      'Look up Named',
      'gone Large (amount > 100 and vip is set and x like false)',
    ]);
    shown.elements('button')[0]!.onClick();
    expect(chosen).toEqual(['w']);
    expect(details('t').all('h3')).toEqual([]);
  });

  it('says which variables a webhook sets', () => {
    const webhook = { ...nodes[1]!.webhook!, response_variables: [{ name: 'slot' }, { name: 'day' }] };
    const document = { nodes: [{ ...nodes[1]!, webhook }], edges: [] } as never;
    expect(rendered(<NodeDetails document={document} selected="w" onSelect={() => {}} />).text).toContain(
      'Sets slot, day',
    );
  });
});

describe('a change', () => {
  const shown = (before: unknown, after: unknown): string =>
    rendered(<BeforeAndAfter before={before} after={after} />).html;

  it('marks the words that differ', () => {
    const html = shown('Ask for a day.', 'Ask for a time.');
    expect(html).toMatch(/<del>day\.?<\/del>/);
    expect(html).toMatch(/<ins>time\.?<\/ins>/);
  });

  it('marks no words where none stay, and has one side where there is no other', () => {
    expect(shown('one', 'two')).not.toMatch(/<del>|<ins>/);
    expect(shown(null, 'two')).not.toContain('Before');
    expect(shown('one', undefined)).not.toContain('After');
    expect(shown(null, { a: 1 })).toContain('&quot;a&quot;: 1');
  });

  it('names the element, and the field except of the start', () => {
    const change = (fields: Partial<Change>): Change => ({
      kind: 'changed',
      element: 'node',
      id: 'a',
      name: 'Greeting',
      field: 'kb_ids',
      affects: 'conversation',
      before: 1,
      after: 2,
      ...fields,
    });
    const head = (fields: Partial<Change>): string =>
      rendered(<Changes changes={[change(fields)]} />).all('.change-head')[0]!;
    expect(head({})).toBe('Node GreetingKb idschangeda');
    expect(head({ element: 'start_node_id', id: null, name: null })).toBe('Start node changed');
    expect(head({ field: null, kind: 'added' })).toBe('Node Greetingaddeda');
  });

  it('folds what was only moved', () => {
    const moved: Change = {
      kind: 'added',
      element: 'node',
      id: 'a',
      name: 'Greeting',
      field: 'position',
      affects: 'layout',
      before: null,
      after: { x: 10, y: 20 },
    };
    const { all } = rendered(<Changes changes={[moved]} />);
    expect(all('summary')).toEqual(['1 node moved in the graph; conversations do not depend on it']);
    expect(all('details')).toHaveLength(1);
    expect(all('ol')).toHaveLength(1);
  });
});
