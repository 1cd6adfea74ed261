import type { z } from 'zod';
import { type PathwayDocument, pathwayDocumentSchema } from '../../../../src/control/pathways/document.js';

type Written = z.input<typeof pathwayDocumentSchema>;

/** Greets, looks a free slot up, and ends or transfers. */
export const written: Written = {
  start_node_id: 'greeting',
  nodes: [
    {
      id: 'greeting',
      name: 'Greeting',
      type: 'default',
      prompt: 'Ask {{caller}} for a day.',
      condition: 'The caller named a day',
      extract: [{ name: 'day', description: 'The day that the caller wants.' }],
    },
    {
      id: 'lookup',
      name: 'Look up slots',
      type: 'webhook',
      webhook: {
        url: 'https://example.com/slots?day={{day}}',
        method: 'GET',
        response_variables: [{ name: 'slot', path: 'slots.0' }],
      },
    },
    { id: 'goodbye', name: 'Goodbye', type: 'end', text: 'See you on {{day}} at {{slot}}.' },
    { id: 'human', name: 'Human', type: 'transfer', transfer_to: '+14155550100' },
  ],
  edges: [
    { id: 'named', source: 'greeting', target: 'lookup', label: 'Day named' },
    { id: 'refused', source: 'greeting', target: 'human', label: 'Wants a human' },
    {
      id: 'free',
      source: 'lookup',
      target: 'goodbye',
      label: 'Slot found',
      when: [{ variable: 'webhook_status', operator: 'equals', value: 200 }],
    },
    { id: 'full', source: 'lookup', target: 'human', label: 'No slot' },
  ],
  settings: { variables: [{ name: 'caller', value: 'the caller' }] },
};

/** The sample after a change of its written form. */
export function documentWith(change: (document: Written) => void = () => {}): PathwayDocument {
  const copy = structuredClone(written);
  change(copy);
  return pathwayDocumentSchema.parse(copy);
}
