import type { JSX } from 'preact';
import { Empty } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import {
  addEdge,
  addNode,
  changeEdge,
  changeNode,
  edgesOf,
  type Fields,
  nodesOf,
  removeEdge,
  removeNode,
} from './document-edits.js';

interface NodeFormProps {
  readonly document: unknown;
  readonly selected: string | undefined;
  readonly faults: readonly string[];
  /** False while the text is no JSON: a change of the form would overwrite it. */
  readonly isReadable: boolean;
  /** @param id the node to select */
  readonly onChange: (document: unknown, id: string | undefined) => void;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The usual fields of the selected node; the text has all of them. */
export function NodeForm({ document, selected, faults, isReadable, onChange }: NodeFormProps): JSX.Element {
  const node = nodesOf(document).find(({ id }) => id === selected);
  if (node === undefined || selected === undefined) {
    return (
      <Panel title="Node">
        <Empty title="No node selected">Select a node in the graph to change it.</Empty>
      </Panel>
    );
  }
  const change = (fields: Fields): void => onChange(changeNode(document, selected, fields), selected);
  const isFinal = node.type === 'end' || node.type === 'transfer';
  return (
    <Panel
      title={`Node ${selected}`}
      aside={<NodeButtons document={document} selected={selected} isFinal={isFinal} onChange={onChange} />}
    >
      {faults.map((message) => (
        <p class="field-problem" key={message}>
          {message}
        </p>
      ))}
      <fieldset class="stacked" disabled={!isReadable}>
        <legend class="unseen">Node {selected}</legend>
        <label>
          Name
          <input value={textOf(node.name)} onInput={(event) => change({ name: event.currentTarget.value })} />
        </label>
        {node.type !== 'webhook' && <Words node={node} onChange={change} />}
        {node.type === 'default' && (
          <label>
            Stay at this node until (optional)
            <input
              value={textOf(node.condition)}
              onInput={(event) => change({ condition: event.currentTarget.value || undefined })}
            />
          </label>
        )}
        {node.type === 'webhook' && <p class="note">The request of a webhook is changed in the document.</p>}
        {!isFinal && <Edges document={document} selected={selected} onChange={onChange} />}
      </fieldset>
    </Panel>
  );
}

/** A prompt for the model, or the exact words. */
function Words({ node, onChange }: { node: Fields; onChange: (fields: Fields) => void }): JSX.Element {
  const isExact = node.text !== undefined;
  const words = textOf(isExact ? node.text : node.prompt);
  return (
    <>
      <label>
        {isExact ? 'Exact words' : 'Prompt'}
        <textarea
          rows={4}
          value={words}
          onInput={({ currentTarget: { value } }) => onChange(isExact ? { text: value } : { prompt: value })}
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={isExact}
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked ? { text: words, prompt: undefined } : { prompt: words, text: undefined })
          }
        />
        Say exactly these words
      </label>
    </>
  );
}

function Edges({
  document,
  selected,
  onChange,
}: {
  document: unknown;
  selected: string;
  onChange: NodeFormProps['onChange'];
}): JSX.Element {
  const nodes = nodesOf(document);
  const leaving = edgesOf(document).filter(({ source }) => source === selected);
  const targets = nodes.map(({ id, name }) => [textOf(id), textOf(name) || textOf(id)] as const);
  return (
    <>
      <h3>Next</h3>
      {leaving.map((edge) => (
        <div class="edge-form" key={textOf(edge.id)}>
          <label>
            When
            <input
              value={textOf(edge.label)}
              onInput={({ currentTarget: { value } }) =>
                onChange(changeEdge(document, edge.id, { label: value }), selected)
              }
            />
          </label>
          <label>
            Go to
            <select
              value={textOf(edge.target)}
              onChange={({ currentTarget: { value } }) =>
                onChange(changeEdge(document, edge.id, { target: value }), selected)
              }
            >
              {targets.map(([id, name]) => (
                <option value={id} key={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <button
            type="button"
            class="small"
            onClick={() => onChange(removeEdge(document, edge.id), selected)}
          >
            Remove<span class="unseen"> edge {textOf(edge.label)}</span>
          </button>
        </div>
      ))}
      <div class="buttons">
        <button
          type="button"
          class="small"
          onClick={() => onChange(addEdge(document, selected, targets[0]?.[0] ?? selected), selected)}
        >
          Add edge
        </button>
      </div>
    </>
  );
}

function NodeButtons({
  document,
  selected,
  isFinal,
  onChange,
}: {
  document: unknown;
  selected: string;
  isFinal: boolean;
  onChange: NodeFormProps['onChange'];
}): JSX.Element {
  return (
    <div class="buttons">
      <button
        type="button"
        class="small"
        onClick={() => {
          const added = addNode(document, isFinal ? undefined : selected);
          onChange(added.document, added.id);
        }}
      >
        Add node
      </button>
      <button type="button" class="small" onClick={() => onChange(removeNode(document, selected), undefined)}>
        Remove<span class="unseen"> node {selected}</span>
      </button>
    </div>
  );
}
