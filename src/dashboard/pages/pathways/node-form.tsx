import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Empty } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import {
  addEdge,
  addNode,
  changeEdge,
  changeNode,
  changeType,
  definedFields,
  edgesOf,
  type Fields,
  type NodeType,
  nodesOf,
  removeEdge,
  removeNode,
  renameNode,
  reorderEdge,
} from './document-edits.js';
import {
  defaultNodeShapes,
  edgeShapes,
  positionShapes,
  transferNodeShapes,
  webhookShapes,
} from './document-shapes.js';
import { typeWords } from './pathway-graph.js';
import { RecordFields } from './record-fields.js';

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

const objectOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** The fields of the selected node and of the edges that leave it. */
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
  const request = objectOf(node.webhook);
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
        <div class="edge-form">
          <IdField
            label="Id"
            id={selected}
            taken={nodesOf(document)}
            onChange={(id) => onChange(renameNode(document, selected, id), id)}
          />
          <label>
            Type
            <select
              value={textOf(node.type)}
              onChange={({ currentTarget: { value } }) =>
                onChange(changeType(document, selected, value as NodeType), selected)
              }
            >
              {Object.entries(typeWords).map(([type, words]) => (
                <option value={type} key={type}>
                  {words}
                </option>
              ))}
            </select>
          </label>
        </div>
        {node.type !== 'webhook' && <Words node={node} onChange={change} />}
        {node.type === 'default' && (
          <RecordFields shapes={defaultNodeShapes} record={node} onChange={change} />
        )}
        {node.type === 'transfer' && (
          <RecordFields shapes={transferNodeShapes} record={node} onChange={change} />
        )}
        {node.type === 'webhook' && (
          <RecordFields
            shapes={webhookShapes}
            record={request}
            onChange={(fields) => change({ webhook: definedFields({ ...request, ...fields }) })}
          />
        )}
        {node.position !== undefined && (
          <div class="edge-form">
            <RecordFields
              shapes={positionShapes}
              record={objectOf(node.position)}
              onChange={(fields) =>
                change({ position: definedFields({ ...objectOf(node.position), ...fields }) })
              }
            />
            <button type="button" class="small" onClick={() => change({ position: undefined })}>
              Place automatically
            </button>
          </div>
        )}
        <Edges document={document} selected={selected} isFinal={isFinal} onChange={onChange} />
      </fieldset>
    </Panel>
  );
}

/** An id changes when the field is left: a half-typed one would be that of another node or edge. */
function IdField({
  label,
  id,
  taken,
  onChange,
}: {
  label: string;
  id: string;
  taken: readonly Fields[];
  onChange: (id: string) => void;
}): JSX.Element {
  return (
    <label>
      {label}
      <input
        value={id}
        onChange={({ currentTarget }) => {
          const wanted = currentTarget.value.trim();
          if (wanted === '' || taken.some((node) => node.id === wanted)) currentTarget.value = id;
          else onChange(wanted);
        }}
      />
    </label>
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
  isFinal,
  onChange,
}: {
  document: unknown;
  selected: string;
  isFinal: boolean;
  onChange: NodeFormProps['onChange'];
}): JSX.Element | null {
  const nodes = nodesOf(document);
  const leaving = edgesOf(document).filter(({ source }) => source === selected);
  const ends = nodes.map(({ id, name }) => [textOf(id), textOf(name) || textOf(id)] as const);
  const [said, say] = useState('');
  if (isFinal && leaving.length === 0) return null;
  const reorder = (edge: Fields, at: number, by: -1 | 1): void => {
    if (leaving[at + by] === undefined) return;
    say(`${textOf(edge.label)}: ${at + by + 1} of ${leaving.length}`);
    onChange(reorderEdge(document, edge.id, by), selected);
  };
  return (
    <>
      <h3>Next</h3>
      {leaving.length > 1 && (
        <p class="note">
          Edges with comparisons are tried first, from top to bottom; if none holds, the model chooses among
          the others.
        </p>
      )}
      <p class="unseen" role="status">
        {said}
      </p>
      {leaving.map((edge, at) => {
        const change = (fields: Fields): void => onChange(changeEdge(document, edge.id, fields), selected);
        return (
          <fieldset class="stacked rows" key={at}>
            <legend class="unseen">Edge {textOf(edge.id)}</legend>
            <div class="edge-form">
              <NodeChoice
                label="Go to"
                id={edge.target}
                nodes={ends}
                onChange={(target) => change({ target })}
              />
              <NodeChoice
                label="Come from"
                id={edge.source}
                nodes={ends}
                onChange={(source) => change({ source })}
              />
              <IdField
                label="Edge id"
                id={textOf(edge.id)}
                taken={edgesOf(document)}
                onChange={(id) => change({ id })}
              />
              {leaving.length > 1 && (
                <>
                  <OrderButton edge={edge} by={-1} isLast={at === 0} onClick={() => reorder(edge, at, -1)} />
                  <OrderButton
                    edge={edge}
                    by={1}
                    isLast={at === leaving.length - 1}
                    onClick={() => reorder(edge, at, 1)}
                  />
                </>
              )}
              <button
                type="button"
                class="small"
                onClick={() => onChange(removeEdge(document, edge.id), selected)}
              >
                Remove<span class="unseen"> edge {textOf(edge.label)}</span>
              </button>
            </div>
            <RecordFields shapes={edgeShapes} record={edge} onChange={change} />
          </fieldset>
        );
      })}
      {!isFinal && (
        <div class="buttons">
          <button
            type="button"
            class="small"
            onClick={() => onChange(addEdge(document, selected, ends[0]?.[0] ?? selected), selected)}
          >
            Add edge
          </button>
        </div>
      )}
    </>
  );
}

/** At the end of the list it keeps the focus, which a disabled button would lose. */
function OrderButton({
  edge,
  by,
  isLast,
  onClick,
}: {
  edge: Fields;
  by: -1 | 1;
  isLast: boolean;
  onClick: () => void;
}): JSX.Element {
  return (
    <button
      type="button"
      class="small"
      data-by={by}
      aria-disabled={isLast}
      onClick={({ currentTarget }) => {
        onClick();
        // The focus follows the edge to its new place.
        const own = currentTarget.closest('fieldset');
        const next = by < 0 ? own?.previousElementSibling : own?.nextElementSibling;
        if (!isLast) next?.querySelector<HTMLElement>(`[data-by="${by}"]`)?.focus();
      }}
    >
      Try<span class="unseen"> edge {textOf(edge.label)}</span> {by < 0 ? 'earlier' : 'later'}
    </button>
  );
}

export function NodeChoice({
  label,
  id,
  nodes,
  onChange,
}: {
  label: string;
  id: unknown;
  nodes: readonly (readonly [id: string, name: string])[];
  onChange: (id: string) => void;
}): JSX.Element {
  return (
    <label>
      {label}
      <select value={textOf(id)} onChange={({ currentTarget: { value } }) => onChange(value)}>
        {nodes.map(([node, name]) => (
          <option value={node} key={node}>
            {name}
          </option>
        ))}
      </select>
    </label>
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
