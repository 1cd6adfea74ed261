import { describe, expect, it } from 'vitest';
import type { PathwayDocument } from '../../../../src/control/pathways/document.js';
import { placeholdersIn, substitute, unsetUses } from '../../../../src/control/pathways/variables.js';
import { documentWith } from './sample-document.js';

type Change = Parameters<typeof documentWith>[0];
type Written = Parameters<NonNullable<Change>>[0];

const everywhere = ({ nodes }: PathwayDocument): Set<string> => new Set(nodes.map(({ id }) => id));
/** `node[/edge] field: variable set`, of each use of a variable before it is set. */
function usesIn(change?: Change, reachable?: readonly string[]): string[] {
  const document = documentWith(change);
  return unsetUses(document, reachable === undefined ? everywhere(document) : new Set(reachable)).map(
    ({ node, edge, field, name, set }) =>
      `${node.id}${edge === undefined ? '' : `/${edge.id}`} ${field}: ${name} ${set}`,
  );
}
const node = ({ nodes }: Written, id: string) =>
  nodes.find((each) => each.id === id) as Record<string, unknown>;
const edge = ({ edges = [] }: Written, id: string) =>
  edges.find((each) => each.id === id) as Record<string, unknown>;

describe('uses of a variable before it is set', () => {
  it('are none where each path sets it first', () => {
    expect(usesIn()).toEqual([]);
  });

  it('are found where no path sets it', () => {
    const unknown = (written: Written) => {
      node(written, 'goodbye').text = 'Bye {{ nobody }}.';
    };
    expect(usesIn(unknown)).toEqual(['goodbye text: nobody never']);
  });

  it('are found where some paths set it and others do not', () => {
    const sometimes = (written: Written) => {
      node(written, 'human').text = 'You wanted {{slot}} on {{day}}.';
    };
    // The greeting sets the day on every path, the look-up of a slot lies on one of two.
    expect(usesIn(sometimes)).toEqual(['human text: slot sometimes']);
  });

  it('include those of a node before it sets its own, but not those of its condition and its edges', () => {
    const own = (written: Written) => {
      node(written, 'greeting').prompt = 'Is it {{day}}?';
      node(written, 'greeting').condition = 'The caller wants {{day}} or {{slot}}';
      edge(written, 'refused').condition = 'Not on {{day}}, nor at {{slot}}';
    };
    expect(usesIn(own)).toEqual([
      'greeting prompt: day never',
      'greeting condition: slot never',
      'greeting/refused condition: slot never',
    ]);
  });

  it('include what an edge compares', () => {
    const compared = (written: Written) => {
      edge(written, 'named').when = [{ variable: 'webhook_status', operator: 'is_set' }];
    };
    expect(usesIn(compared)).toEqual(['greeting/named when: webhook_status never']);
  });

  it('include the URL and the body of a webhook and the target of a transfer', () => {
    const webhookAndTransfer = (written: Written) => {
      const { webhook } = node(written, 'lookup') as { webhook: Record<string, unknown> };
      webhook.method = 'POST';
      webhook.url = 'https://example.com/{{a}}';
      webhook.body = { deep: [{ day: '{{b}}' }], count: 3, none: null };
      node(written, 'human').transfer_to = '{{c}}';
    };
    expect(usesIn(webhookAndTransfer)).toEqual([
      'lookup webhook.url: a never',
      'lookup webhook.body: b never',
      'human transfer_to: c never',
    ]);
  });

  it('follow cycles until nothing changes', () => {
    const cycle = (written: Written) => {
      written.edges!.push({
        id: 'again',
        source: 'lookup',
        target: 'greeting',
        label: 'Another day',
      } as never);
      node(written, 'greeting').prompt = 'Not {{slot}}? Ask {{caller}}.';
    };
    expect(usesIn(cycle)).toEqual(['greeting prompt: slot sometimes']);
  });

  it('leave out what the start does not reach', () => {
    const unknown = (written: Written) => {
      node(written, 'goodbye').text = '{{nobody}}';
    };
    expect(usesIn(unknown, ['greeting', 'lookup', 'human'].concat('goodbye'))).toHaveLength(1);
    const withoutEdge = (written: Written) => {
      unknown(written);
      written.edges = written.edges!.filter(({ id }) => id !== 'free');
    };
    expect(usesIn(withoutEdge, ['greeting', 'lookup', 'human'])).toEqual([]);
  });
});

it('placeholders are named once each, and stay where they have no value', () => {
  expect(placeholdersIn('{{a}} {{ b }} {{a}} {{1}} {c}')).toEqual(['a', 'b']);
  expect(substitute('{{a}} {{ b }}', (name) => (name === 'b' ? '' : undefined))).toBe('{{a}} ');
});
