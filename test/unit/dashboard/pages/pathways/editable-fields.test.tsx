import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pathwayDocumentSchema } from '../../../../../src/control/pathways/document.js';
import { NodeForm } from '../../../../../src/dashboard/pages/pathways/node-form.js';
import { SettingsForm } from '../../../../../src/dashboard/pages/pathways/settings-form.js';
import { rendered } from '../../rendered.js';

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly const?: string;
}

const schema = z.toJSONSchema(pathwayDocumentSchema, { io: 'input' }) as JsonSchema & {
  readonly $defs: Readonly<Record<string, JsonSchema>>;
};

/** Paths of all texts, numbers and free objects of the schema; nodes by their type. */
function leavesOf(part: JsonSchema, path: string): string[] {
  if (part.$ref !== undefined) return leavesOf(schema.$defs[part.$ref.split('/').at(-1)!]!, path);
  if (part.oneOf !== undefined)
    return part.oneOf.flatMap((branch) => leavesOf(branch, `${path}.${branch.properties!.type!.const}`));
  if (part.items !== undefined) return leavesOf(part.items, `${path}[]`);
  if (part.properties !== undefined)
    return Object.entries(part.properties).flatMap(([name, inner]) => leavesOf(inner, `${path}.${name}`));
  return [path];
}
const leaves = leavesOf(schema, '');

type Value = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Value => typeof value === 'object' && value !== null;

/** Paths of the schema at which the documents differ. */
function changedPaths(before: unknown, after: unknown, path = ''): string[] {
  if (before === after) return [];
  if (leaves.includes(path) || !(isObject(before) && isObject(after))) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
  }
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const step = Array.isArray(before) ? '[]' : `.${key}`;
    const type = path === '.nodes' ? `.${(before[key] as Value).type}` : '';
    return changedPaths(before[key], after[key], path + step + type);
  });
}

const position = { x: 10, y: 20 };
const variable = { name: 'day', type: 'string', description: 'The day.' };
const document = {
  start_node_id: 'said',
  nodes: [
    {
      id: 'said',
      name: 'Said',
      position,
      type: 'default',
      text: 'Which day?',
      condition: 'A day is known.',
      extract: [variable],
      kb_ids: ['5f0c7f0e-7a3b-4c58-9d1f-0f5a5d3c2b1a'],
    },
    { id: 'prompted', name: 'Prompted', type: 'default', prompt: 'Ask.', extract: [], kb_ids: [] },
    {
      id: 'called',
      name: 'Called',
      position,
      type: 'webhook',
      webhook: {
        url: 'https://example.com/',
        method: 'POST',
        body: { day: '{{day}}' },
        timeout_ms: 5_000,
        response_variables: [{ name: 'slot', path: 'slots.0' }],
      },
    },
    {
      id: 'moved',
      name: 'Moved',
      position,
      type: 'transfer',
      prompt: 'Say so.',
      transfer_to: '+14155550100',
    },
    { id: 'moving', name: 'Moving', type: 'transfer', text: 'One moment.', transfer_to: '+14155550100' },
    { id: 'ended', name: 'Ended', position, type: 'end', prompt: 'Say goodbye.' },
    { id: 'ending', name: 'Ending', type: 'end', text: 'Goodbye.' },
  ],
  edges: [
    {
      id: 'edge',
      source: 'said',
      target: 'called',
      label: 'A day',
      condition: 'The caller named a day.',
      when: [{ variable: 'day', operator: 'equals', value: 'Monday' }],
    },
  ],
  settings: { global_prompt: 'Be brief.', variables: [{ ...variable, value: 'Monday' }] },
};

describe('the editor of a pathway', () => {
  it('has a control for each field of the schema', () => {
    expect(pathwayDocumentSchema.safeParse(document).error).toBeUndefined();
    const edited = new Set<string>();
    const onChange = (changed: unknown): void => {
      const paths = changedPaths(document, changed);
      // Another id or type changes what depends on it as well.
      const own = paths.filter((path) => /^\.nodes\[\]\.\w+\.(id|type)$/.test(path));
      if (own.length > 0 || paths.length === 1) edited.add(own[0] ?? paths[0]!);
    };
    const forms = [
      <SettingsForm key="settings" document={document} isReadable onChange={onChange} />,
      ...document.nodes.map(({ id }) => (
        <NodeForm key={id} document={document} selected={id} faults={[]} isReadable onChange={onChange} />
      )),
    ];
    for (const form of forms) {
      const { elements } = rendered(form);
      for (const { type, onInput, onChange: commit } of [
        ...elements('input'),
        ...elements('textarea'),
        ...elements('select'),
      ]) {
        const value = type === 'number' ? '250' : '{"changed":1}';
        const target = { currentTarget: { value, checked: true } };
        (onInput ?? commit)(target);
      }
    }
    expect([...edited].toSorted()).toEqual(leaves.toSorted());
  });
});
