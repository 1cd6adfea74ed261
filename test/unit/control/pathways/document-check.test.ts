import { describe, expect, it } from 'vitest';
import { checkDocument } from '../../../../src/control/pathways/document-check.js';
import { Stopwatch } from '../../../support/stopwatch.js';
import { documentWith, type written } from './sample-document.js';

type Change = (document: typeof written) => void;
type Loose = Record<string, unknown>;

describe('a pathway document', () => {
  it('has no problem when every path sets the variables that it uses', () => {
    expect(checkDocument(documentWith())).toEqual({ faults: [], warnings: [] });
  });

  const faults: [string, Change, string, string][] = [
    [
      'an unknown start',
      (d) => {
        d.start_node_id = 'hello';
      },
      'start_node_id',
      'There is no node hello',
    ],
    [
      'an edge to an unknown node',
      (d) => {
        d.edges![0]!.target = 'nowhere';
      },
      'edges.0.target',
      'Edge named: there is no node nowhere.',
    ],
    [
      'an edge from an unknown node',
      (d) => {
        d.edges![3]!.source = 'gone';
      },
      'edges.3.source',
      'Edge full: there is no node gone.',
    ],
    [
      'two nodes of one id',
      (d) => {
        d.nodes[3]!.id = 'goodbye';
      },
      'nodes.3.id',
      'has the id goodbye',
    ],
    [
      'two edges of one id',
      (d) => {
        d.edges![1]!.id = 'named';
      },
      'edges.1.id',
      'has the id named',
    ],
    [
      'an edge that leaves an end',
      (d) => void d.edges!.push({ id: 'back', source: 'goodbye', target: 'greeting', label: 'Again' }),
      'nodes.2.type',
      'Node goodbye: its type end ends the conversation',
    ],
    [
      'a node that says nothing',
      (d) => {
        delete (d.nodes[0] as Loose).prompt;
      },
      'nodes.0.prompt',
      'Node greeting: prompt or text is required.',
    ],
    [
      'a node with prompt and text',
      (d) => {
        (d.nodes[0] as Loose).text = 'Hello';
      },
      'nodes.0.text',
      'Node greeting: prompt and text exclude each other',
    ],
    [
      'a webhook without an edge',
      (d) => {
        d.edges = d.edges!.filter(({ source }) => source !== 'lookup');
      },
      'nodes.1.id',
      'Node lookup: a webhook node needs an edge',
    ],
    [
      'a webhook whose host is a variable',
      (d) => {
        (d.nodes[1] as { webhook: Loose }).webhook.url = 'https://{{day}}/';
      },
      'nodes.1.webhook.url',
      'Node lookup: https://{{day}}/ is not an http',
    ],
    [
      'webhooks that lead to each other',
      (d) => void d.edges!.push({ id: 'again', source: 'lookup', target: 'lookup', label: 'Again' }),
      'nodes.1.id',
      'Node lookup: it leads back to itself through webhook nodes only',
    ],
    [
      'a variable that no node extracts',
      (d) => {
        (d.nodes[2] as Loose).text = 'Goodbye {{name}}';
      },
      'nodes.2.text',
      'Node goodbye uses name, but no node on the way to it extracts this variable',
    ],
    [
      'a comparison of an unknown variable',
      (d) => {
        d.edges![2]!.when![0]!.variable = 'status';
      },
      'edges.2.when',
      'Edge free of node lookup uses status',
    ],
    [
      'a comparison without a value',
      (d) => {
        delete d.edges![2]!.when![0]!.value;
      },
      'edges.2.when.0.value',
      'Edge free: equals needs a value.',
    ],
  ];
  it.each(faults)('is refused with %s', (_, change, path, message) => {
    const found = checkDocument(documentWith(change)).faults;
    expect(found.map((fault) => fault.path)).toContain(path);
    expect(found.map((fault) => fault.message).join(' ')).toContain(message);
  });

  it('is refused with a variable that only later nodes extract', () => {
    const document = documentWith((d) => {
      (d.nodes[0] as Loose).prompt = 'Is {{slot}} fine?';
    });
    expect(checkDocument(document).faults).toEqual([
      { path: 'nodes.0.prompt', message: expect.stringContaining('Node greeting uses slot') },
    ]);
  });

  it('may use a variable that a loop sets before it returns, with a warning', () => {
    const document = documentWith((d) => {
      d.edges!.push({ id: 'again', source: 'lookup', target: 'greeting', label: 'Another day' });
      (d.nodes[0] as Loose).prompt = 'Is {{slot}} fine?';
    });
    expect(checkDocument(document)).toEqual({
      faults: [],
      warnings: [
        { node_id: 'greeting', message: 'Node greeting uses slot, which not every path to it has set.' },
      ],
    });
  });

  it('may have webhooks one after the other', () => {
    const document = documentWith((d) => {
      d.nodes.push({
        id: 'booking',
        name: 'Book',
        type: 'webhook',
        webhook: { url: 'https://example.com/{{slot}}' },
      });
      d.edges![2]!.target = 'booking';
      d.edges!.push({ id: 'booked', source: 'booking', target: 'goodbye', label: 'Booked' });
    });
    expect(checkDocument(document)).toEqual({ faults: [], warnings: [] });
  });

  it('warns of nodes that cannot be reached or left, and of a conversation without an end', () => {
    const document = documentWith((d) => {
      d.edges = [];
      d.nodes = d.nodes.filter(({ id }) => id === 'greeting' || id === 'human');
    });
    expect(checkDocument(document).warnings.map(({ message }) => message)).toEqual([
      'Node human cannot be reached from greeting.',
      'Node greeting has no edge: the conversation stays there until the caller hangs up.',
      'No end or transfer node can be reached from greeting.',
    ]);
  });

  it('is checked in well under a second at its largest', () => {
    const document = documentWith((d) => {
      d.nodes = Array.from({ length: 500 }, (_, index) => ({
        id: `n${index}`,
        name: `Node ${index}`,
        type: 'default' as const,
        text: index === 0 ? 'Hello' : `You said {{v${index - 1}}}`,
        extract: Array.from({ length: 50 }, (_, at) => ({
          name: at === 0 ? `v${index}` : `v${index}_${at}`,
          description: 'x',
        })),
      }));
      d.edges = Array.from({ length: 2_000 }, (_, index) => {
        const source = index % 499;
        const target = index < 499 ? source + 1 : (source * 7 + index) % 500;
        return { id: `e${index}`, source: `n${source}`, target: `n${target}`, label: 'x' };
      });
      d.start_node_id = 'n0';
    });
    const watch = Stopwatch.start();
    checkDocument(document);
    expect(watch.milliseconds).toBeLessThan(watch.bound(2_000));
  });
});
