import type { FieldShape } from './record-fields.js';

/** The controls of the fields of a document, by the object that has them (src/control/pathways/document.ts). */

const variable: FieldShape = { field: 'name', label: 'Variable', kind: 'line', empty: '' };
const variableType: FieldShape = {
  field: 'type',
  label: 'Type',
  kind: 'choice',
  options: [
    ['string', 'Text'],
    ['number', 'Number'],
    ['boolean', 'Yes or no'],
  ],
};

export const positionShapes: readonly FieldShape[] = [
  { field: 'x', label: 'Right, in pixels of the graph', kind: 'number' },
  { field: 'y', label: 'Down, in pixels of the graph', kind: 'number' },
];

const conditionShape: FieldShape = {
  field: 'condition',
  label: 'Stay at this node until (optional)',
  kind: 'line',
};

export const defaultNodeShapes: readonly FieldShape[] = [
  conditionShape,
  {
    field: 'extract',
    label: 'Variables from the conversation',
    kind: 'rows',
    row: {
      noun: 'variable',
      added: { name: 'variable', type: 'string', description: 'What the caller says.' },
      shapes: [
        variable,
        variableType,
        { field: 'description', label: 'What to look for', kind: 'line', empty: '' },
      ],
    },
  },
  { field: 'kb_ids', label: 'Knowledge bases, one id a line', kind: 'lines' },
];

export const transferNodeShapes: readonly FieldShape[] = [
  { field: 'transfer_to', label: 'Transfer to (E.164 or SIP URI)', kind: 'line', empty: '' },
];

export const webhookShapes: readonly FieldShape[] = [
  { field: 'url', label: 'URL', kind: 'line', empty: '' },
  {
    field: 'method',
    label: 'Method',
    kind: 'choice',
    options: ['GET', 'POST', 'PUT', 'PATCH'].map((method) => [method, method] as const),
  },
  { field: 'body', label: 'JSON body (optional)', kind: 'json' },
  { field: 'timeout_ms', label: 'Timeout in milliseconds (100–30000)', kind: 'number' },
  {
    field: 'response_variables',
    label: 'Variables from the response',
    kind: 'rows',
    row: {
      noun: 'variable',
      added: { name: 'variable', path: 'value' },
      shapes: [variable, { field: 'path', label: 'Path in the JSON response', kind: 'line', empty: '' }],
    },
  },
];

const comparing = (record: Readonly<Record<string, unknown>>): boolean =>
  record.operator !== 'is_set' && record.operator !== 'is_not_set';

export const edgeShapes: readonly FieldShape[] = [
  { field: 'label', label: 'When', kind: 'line', empty: '' },
  { field: 'condition', label: 'In detail, for the model (optional)', kind: 'line' },
  {
    field: 'when',
    label: 'Only if all of these hold; the model is not asked',
    kind: 'rows',
    row: {
      noun: 'comparison',
      added: { variable: 'variable', operator: 'is_set' },
      shapes: [
        { ...variable, field: 'variable' },
        {
          field: 'operator',
          label: 'Is',
          kind: 'choice',
          options: [
            ['equals', 'equal to'],
            ['not_equals', 'not equal to'],
            ['contains', 'containing'],
            ['greater_than', 'greater than'],
            ['less_than', 'less than'],
            ['is_set', 'set'],
            ['is_not_set', 'not set'],
          ],
        },
        { field: 'value', label: 'Value', kind: 'value', isUsed: comparing },
      ],
    },
  },
];

export const settingsShapes: readonly FieldShape[] = [
  { field: 'global_prompt', label: 'Instructions for every node (optional)', kind: 'words', empty: null },
  {
    field: 'variables',
    label: 'Variables that a conversation begins with',
    kind: 'rows',
    row: {
      noun: 'variable',
      added: { name: 'variable', type: 'string' },
      shapes: [
        variable,
        variableType,
        { field: 'description', label: 'Meaning (optional)', kind: 'line' },
        { field: 'value', label: 'Value without request_data (optional)', kind: 'value' },
      ],
    },
  },
];
