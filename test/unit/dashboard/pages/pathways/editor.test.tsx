import { describe, expect, it } from 'vitest';
import type { PathwayVersion } from '../../../../../src/dashboard/api/pathways.js';
import { Editor } from '../../../../../src/dashboard/pages/pathways/editor.js';
import { NodeForm } from '../../../../../src/dashboard/pages/pathways/node-form.js';
import { type Rendered, rendered } from '../../rendered.js';

const document = {
  start_node_id: 'a',
  nodes: [
    { id: 'a', name: 'Greeting', type: 'default', prompt: 'Greet.', condition: 'named' },
    { id: 'b', name: 'Bye', type: 'end', text: 'Goodbye.' },
    { id: 'c', type: 'webhook' },
  ],
  edges: [
    { id: 'e1', source: 'a', target: 'b', label: 'Done' },
    { id: 'e2', source: 'a', target: 'c', label: 'Ask' },
  ],
};

describe('the form of a node', () => {
  /** The form, and what it last changed. */
  const form = (selected: string | undefined, fields: Partial<Parameters<typeof NodeForm>[0]> = {}) => {
    const changes: [document: typeof document, id: string | undefined][] = [];
    const drawn = rendered(
      <NodeForm
        document={document}
        selected={selected}
        faults={[]}
        isReadable
        onChange={(changed, id) => changes.push([changed as never, id])}
        {...fields}
      />,
    );
    return { ...drawn, last: () => changes.at(-1)! };
  };
  const textOf = (children: unknown): string => {
    if (Array.isArray(children)) return children.map(textOf).join('');
    const inner = (children as { readonly props?: { readonly children?: unknown } } | null)?.props;
    return inner === undefined ? String(children ?? '') : textOf(inner.children);
  };
  const click = ({ elements }: Rendered, text: RegExp): void =>
    elements('button')
      .find(({ children }) => text.test(textOf(children)))!
      .onClick();

  it.each([undefined, 'z'])('is empty while %s is selected', (selected) => {
    expect(form(selected).text).toContain('No node selected');
  });

  it('has the fields of the type of its node', () => {
    expect(form('a').text).toContain('Stay at this node until');
    expect(form('b').text).not.toContain('Stay at this node until');
    expect(form('b').text).not.toContain('Add edge');
    expect(form('c').text).toContain('Timeout in milliseconds');
    expect(form('c').text).not.toContain('Prompt');
  });

  it('changes the name of its node alone', () => {
    const drawn = form('a');
    drawn.elements('input')[0]!.onInput({ currentTarget: { value: 'Hello' } });
    const [changed, id] = drawn.last();
    expect(id).toBe('a');
    expect(changed.nodes[0]).toEqual({ ...document.nodes[0], name: 'Hello' });
    expect(changed.nodes.slice(1)).toEqual(document.nodes.slice(1));
    expect(changed.edges).toEqual(document.edges);
  });

  it('keeps the words when a prompt becomes exact words, and back', () => {
    const toggle = (id: string, checked: boolean) => {
      const drawn = form(id);
      drawn
        .elements('input')
        .find(({ type }) => type === 'checkbox')!
        .onChange({ currentTarget: { checked } });
      return drawn.last()[0].nodes.find((node) => node.id === id)!;
    };
    expect(toggle('a', true)).toEqual({
      id: 'a',
      name: 'Greeting',
      type: 'default',
      text: 'Greet.',
      condition: 'named',
    });
    expect(toggle('b', false)).toEqual({ id: 'b', name: 'Bye', type: 'end', prompt: 'Goodbye.' });
  });

  it('writes words to the field that they came from', () => {
    for (const [id, field] of [
      ['a', 'prompt'],
      ['b', 'text'],
    ] as const) {
      const drawn = form(id);
      drawn.elements('textarea')[0]!.onInput({ currentTarget: { value: 'New.' } });
      expect(drawn.last()[0].nodes.find((node) => node.id === id)).toMatchObject({ [field]: 'New.' });
    }
  });

  it('removes a condition that is emptied', () => {
    const drawn = form('a');
    drawn
      .elements('input')
      .find(({ value }) => value === 'named')!
      .onInput({ currentTarget: { value: '' } });
    expect(Object.keys(drawn.last()[0].nodes[0]!)).not.toContain('condition');
  });

  it('changes, adds and removes the edges that leave its node', () => {
    const drawn = form('a');
    const targets = drawn.elements('select').filter(({ value }) => value === 'b' || value === 'c');
    expect(targets.map(({ value }) => value)).toEqual(['b', 'c']);
    targets[1]!.onChange({ currentTarget: { value: 'a' } });
    expect(drawn.last()[0].edges).toEqual([document.edges[0], { ...document.edges[1], target: 'a' }]);
    click(drawn, /^Remove edge Ask/);
    expect(drawn.last()[0].edges).toEqual([document.edges[0]]);
    click(drawn, /^Add edge/);
    expect(drawn.last()[0].edges.at(-1)).toMatchObject({ id: 'edge_3', source: 'a', target: 'a' });
  });

  it('tries an edge earlier or later among those of its node, and no further than the ends', () => {
    const between = { id: 'e0', source: 'b', target: 'c', label: 'Other' };
    const [first, second] = document.edges;
    const edges = [first!, between, second!];
    const drawn = form('a', { document: { ...document, edges } });
    const press = (name: string, at: number): void =>
      (
        drawn.elements('button').filter(({ children }) => textOf(children).endsWith(name))[at]!.onClick as (
          event: unknown,
        ) => void
      )({ currentTarget: { closest: () => null } });
    press('earlier', 0);
    press('later', 1);
    expect(drawn.last()).toBeUndefined();
    press('earlier', 1);
    expect(drawn.last()[0].edges).toEqual([second, between, first]);
    press('later', 0);
    expect(drawn.last()[0].edges).toEqual([second, between, first]);
  });

  it('adds a node after its own, but none after an end', () => {
    const drawn = form('a');
    click(drawn, /^Add node/);
    expect(drawn.last()[1]).toBe('node_4');
    expect(drawn.last()[0].edges.at(-1)).toMatchObject({ source: 'a', target: 'node_4' });
    expect(drawn.last()[0].nodes.at(-1)).not.toHaveProperty('position');
    const end = form('b');
    click(end, /^Add node/);
    expect(end.last()[0].edges).toEqual(document.edges);
  });

  it('adds a node below one that was moved', () => {
    const [first, ...rest] = document.nodes;
    const nodes = [{ ...first, position: { x: 300, y: 50 } }, ...rest];
    const drawn = form('a', { document: { ...document, nodes } });
    click(drawn, /^Add node/);
    const { position } = drawn.last()[0].nodes.at(-1) as never as { position: { x: number; y: number } };
    expect(position.y).toBeGreaterThan(50);
    click(drawn, /^Place automatically/);
    expect(drawn.last()[0].nodes).toEqual(document.nodes);
  });

  it('renames its node in edges and as the start, but not to the id of another', () => {
    const rename = (to: string) => {
      const drawn = form('a');
      const field = { currentTarget: { value: to } };
      drawn
        .elements('input')
        .find(({ value }) => value === 'a')!
        .onChange(field);
      return { last: drawn.last(), shown: field.currentTarget.value };
    };
    const [changed, id] = rename('hello').last;
    expect([id, changed.start_node_id, changed.nodes[0]!.id]).toEqual(['hello', 'hello', 'hello']);
    expect(changed.edges.map(({ source }) => source)).toEqual(['hello', 'hello']);
    expect(rename('b')).toEqual({ last: undefined, shown: 'a' });
  });

  it('gives a node of another type the fields that both have, and those that it needs', () => {
    const become = (id: string, type: string) => {
      const drawn = form(id);
      drawn
        .elements('select')
        .find(({ value }) => value === document.nodes.find((node) => node.id === id)!.type)!
        .onChange({ currentTarget: { value: type } });
      return drawn.last()[0].nodes.find((node) => node.id === id);
    };
    expect(become('a', 'end')).toEqual({ id: 'a', name: 'Greeting', type: 'end', prompt: 'Greet.' });
    expect(become('b', 'webhook')).toMatchObject({ type: 'webhook', webhook: { method: 'POST' } });
    expect(become('b', 'transfer')).toMatchObject({ text: 'Goodbye.', transfer_to: '' });
  });

  it('removes its node with the edges from and to it, and selects none', () => {
    const drawn = form('b');
    click(drawn, /^Remove node b/);
    const [changed, id] = drawn.last();
    expect(id).toBeUndefined();
    expect(changed.nodes.map((node) => node.id)).toEqual(['a', 'c']);
    expect(changed.edges.map((edge) => edge.id)).toEqual(['e2']);
  });

  it('cannot change a document whose text is no JSON, and shows the faults of its node', () => {
    const drawn = form('a', { isReadable: false, faults: ['Node a: too long'] });
    expect(drawn.elements('fieldset')[0]!.disabled).toBe(true);
    expect(drawn.all('.field-problem')).toEqual(['Node a: too long']);
  });
});

describe('the editor', () => {
  const editor = (): Rendered =>
    rendered(
      <Editor
        version={{ document } as unknown as PathwayVersion}
        action="Save draft"
        save={() => Promise.resolve()}
      />,
    );

  it('begins with the start node and the document as indented JSON', () => {
    const { elements, text } = editor();
    expect(elements('textarea').map(({ value }) => value)).toContain(JSON.stringify(document, null, 2));
    expect(text).toContain('Node a');
  });

  it('has nothing to save or discard before a change', () => {
    const { elements, text } = editor();
    for (const label of ['Save draft', 'Discard changes'])
      expect(elements('button').find(({ children }) => children === label)!.disabled, label).toBe(true);
    for (const label of ['Undo', 'Redo'])
      expect(elements('button').find(({ children }) => children === label)!.disabled, label).toBe(true);
    expect(text).toContain('Saved');
    expect(text).not.toContain('not saved');
  });
});
