import type { JSX } from 'preact';
import type { PathwayDocument, PathwayEdge, PathwayNode } from '../../api/pathways.js';
import { Empty } from '../../parts/notice.js';
import { Facts, Panel } from '../../parts/panel.js';
import { typeWords } from './pathway-graph.js';

/** What the selected node does, and where it leads. */
export function NodeDetails({
  document,
  selected,
  onSelect,
}: {
  document: PathwayDocument;
  selected: string | undefined;
  onSelect: (id: string) => void;
}): JSX.Element {
  const node = document.nodes.find(({ id }) => id === selected);
  if (node === undefined) {
    return (
      <Panel title="Node">
        <Empty title="No node selected">Select a node in the graph to read its prompt and edges.</Empty>
      </Panel>
    );
  }
  const leaving = document.edges.filter(({ source }) => source === node.id);
  const names = new Map(document.nodes.map(({ id, name }) => [id, name]));
  return (
    <Panel title={node.name} aside={<span class="chip">{typeWords[node.type]}</span>}>
      <Facts rows={factsOf(node)} />
      {leaving.length > 0 && (
        <>
          <h3>Next</h3>
          <ul class="changes">
            {leaving.map((edge) => (
              <li key={edge.id}>
                <button type="button" class="link" onClick={() => onSelect(edge.target)}>
                  {names.get(edge.target) ?? edge.target}
                </button>{' '}
                <span class="muted">{conditionOf(edge)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

type Row = readonly [name: string, value: JSX.Element | string];

function factsOf(node: PathwayNode): readonly Row[] {
  const prose = (text: string): JSX.Element => <span class="prose">{text}</span>;
  const rows: Row[] = [['Id', <code key="id">{node.id}</code>]];
  if (node.type === 'webhook') {
    const { method, url, timeout_ms, response_variables: variables } = node.webhook;
    rows.push(['Request', <code class="breakable" key="url">{`${method} ${url}`}</code>]);
    rows.push(['Timeout', `${timeout_ms} ms`]);
    if (variables.length > 0) rows.push(['Sets', variables.map(({ name }) => name).join(', ')]);
    return rows;
  }
  if (node.text !== undefined) rows.push(['Says', prose(node.text)]);
  if (node.prompt !== undefined) rows.push(['Prompt', prose(node.prompt)]);
  if (node.type === 'transfer') rows.push(['Transfer to', <code key="to">{node.transfer_to}</code>]);
  if (node.type === 'default') {
    if (node.condition !== undefined) rows.push(['Stays until', prose(node.condition)]);
    if (node.extract.length > 0)
      rows.push(['Extracts', node.extract.map(({ name, type }) => `${name} (${type})`).join(', ')]);
  }
  return rows;
}

const operators: Readonly<Record<string, string>> = {
  equals: '=',
  not_equals: '≠',
  contains: 'contains',
  greater_than: '>',
  less_than: '<',
  is_set: 'is set',
  is_not_set: 'is not set',
};

/** `Wants an appointment`, or with comparisons `Large order (amount > 100)`. */
function conditionOf({ label, when = [] }: PathwayEdge): string {
  const compared = when.map(({ variable, operator, value }) =>
    [variable, operators[operator] ?? operator, value === undefined ? '' : String(value)].join(' ').trim(),
  );
  return compared.length === 0 ? label : `${label} (${compared.join(' and ')})`;
}
