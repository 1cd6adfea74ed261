import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useAction } from '../../api/action.js';
import type { ApiFailure } from '../../api/client.js';
import type { PathwayVersion } from '../../api/pathways.js';
import { Problem, RequestNote } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { clearPositions, moveNode, nodesOf } from './document-edits.js';
import { drawnDocument, type Fault, faultsByNode } from './drawn-document.js';
import { begin, change, changedField, redo, undo } from './edit-history.js';
import { readJson } from './json-places.js';
import { NodeForm } from './node-form.js';
import { PathwayGraph } from './pathway-graph.js';
import { SettingsForm } from './settings-form.js';

interface EditorProps {
  readonly version: PathwayVersion;
  /** `Save draft`. */
  readonly action: string;
  /** Rejects with an `ApiFailure`, whose faults the editor shows at their nodes. */
  readonly save: (document: unknown) => Promise<unknown>;
}

const written = (document: unknown): string => JSON.stringify(document, null, 2);

/** The document of a version as text, beside its graph, which follows every change. */
export function Editor({ version, action, save }: EditorProps): JSX.Element {
  const [history, setHistory] = useState(() => begin(written(version.document)));
  const { text } = history;
  const [selected, setSelected] = useState<string | undefined>(version.document.start_node_id);
  const { isBusy, problem: failure, setProblem, follow } = useAction();
  const area = useRef<HTMLTextAreaElement>(null);
  const read = useMemo(() => readJson(text), [text]);
  // While the text is no JSON, the graph shows the last document.
  const lastValid = useRef<unknown>(version.document);
  if (read.fault === undefined) lastValid.current = read.value;
  const document = lastValid.current;
  const faults = failure?.faults ?? [];
  const byNode = useMemo(() => faultsByNode(document, faults), [document, faults]);
  const isChanged = text !== written(version.document);

  const go = (offset: number): void => {
    const field = area.current;
    if (field === null) return;
    field.focus();
    field.setSelectionRange(offset, offset);
    const lineHeight = Number.parseFloat(getComputedStyle(field).lineHeight);
    const line = text.slice(0, offset).split('\n').length;
    field.scrollTop = Math.max(0, (line - 4) * lineHeight);
  };
  const edit = (changed: unknown): void =>
    setHistory((before) => change(before, written(changed), changedField(document, changed)));
  const columns = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const key = event.key.toLowerCase();
      if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return;
      // The browser's own undo knows one field only, and not what the form changed.
      event.preventDefault();
      setHistory(key === 'y' || event.shiftKey ? redo : undo);
    };
    const element = columns.current;
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, []);
  const goTo = (path: string): void => {
    if (read.fault !== undefined) return;
    // A missing field has no place; what should contain it has.
    let prefix = path;
    while (prefix !== '' && !read.places.has(prefix)) prefix = prefix.split('.').slice(0, -1).join('.');
    go(read.places.get(prefix) ?? 0);
  };
  const nodes = (document as { readonly nodes?: unknown } | null)?.nodes;
  const indexOf = (id: string): number =>
    Array.isArray(nodes) ? nodes.findIndex((node: { id?: unknown } | null) => node?.id === id) : -1;
  const send = (): void => {
    if (read.fault === undefined) follow(save(read.value));
  };

  return (
    <>
      {failure !== undefined && (
        <Refusal
          failure={failure}
          onSelect={({ path }) => {
            const inDocument = (path ?? '').replace(/^document\.?/, '');
            const [, list, position] = /^(nodes|edges)\.(\d+)/.exec(inDocument) ?? [];
            const item = (document as Record<string, unknown>)[list ?? '']?.[Number(position) as never] as
              | { readonly id?: string; readonly source?: string }
              | undefined;
            if (list !== undefined) setSelected(list === 'nodes' ? item?.id : item?.source);
            goTo(inDocument);
          }}
        />
      )}
      <div class="pathway-columns editing" ref={columns}>
        <div>
          <Panel
            title="Graph"
            note="Drag a node to move it, or select it and press the arrow keys."
            aside={
              nodesOf(document).some(({ position }) => position !== undefined) ? (
                <button
                  type="button"
                  class="small"
                  disabled={read.fault !== undefined}
                  onClick={() => edit(clearPositions(document))}
                >
                  Arrange automatically
                </button>
              ) : undefined
            }
          >
            <PathwayGraph
              document={drawnDocument(document)}
              label="Graph of the document"
              selected={selected}
              onSelect={(id) => {
                setSelected(id);
                const index = indexOf(id);
                // The graph keeps the focus; only the text scrolls.
                if (index >= 0 && read.fault === undefined) {
                  const active = globalThis.document.activeElement as HTMLElement | null;
                  goTo(`nodes.${index}`);
                  active?.focus({ preventScroll: true });
                }
              }}
              // A change of the graph would overwrite text that is no JSON.
              {...(read.fault === undefined
                ? { onMove: (id, position) => edit(moveNode(document, id, position)) }
                : {})}
              faults={byNode}
            />
          </Panel>
          <NodeForm
            key={selected}
            document={document}
            selected={selected}
            faults={(selected === undefined ? undefined : byNode.get(selected)) ?? []}
            isReadable={read.fault === undefined}
            onChange={(changed, id) => {
              edit(changed);
              setSelected(id);
            }}
          />
          <SettingsForm document={document} isReadable={read.fault === undefined} onChange={edit} />
        </div>
        <Panel
          title="Document"
          aside={<span>{isChanged ? 'Changed, not saved' : 'Saved'}</span>}
          class="document-panel"
        >
          <label>
            <span class="unseen">Document as JSON</span>
            <textarea
              ref={area}
              class="document-text"
              spellcheck={false}
              autocomplete="off"
              value={text}
              onInput={({ currentTarget: { value } }) =>
                setHistory((before) => change(before, value, 'text'))
              }
            />
          </label>
          {read.fault !== undefined && (
            <p class="field-problem" role="status">
              {read.fault.message}{' '}
              <button type="button" class="link" onClick={() => go(read.fault!.offset)}>
                Go to line {read.fault.line}
              </button>
            </p>
          )}
          <div class="buttons">
            <button
              type="button"
              class="primary"
              disabled={isBusy || !isChanged || read.fault !== undefined}
              onClick={send}
            >
              {action}
            </button>
            <button
              type="button"
              disabled={!isChanged}
              onClick={() => {
                setHistory((before) => change(before, written(version.document)));
                setProblem(undefined);
              }}
            >
              Discard changes
            </button>
            <button
              type="button"
              disabled={history.past.length === 0}
              onClick={() => setHistory(undo)}
              aria-keyshortcuts="Control+Z"
            >
              Undo
            </button>
            <button
              type="button"
              disabled={history.future.length === 0}
              onClick={() => setHistory(redo)}
              aria-keyshortcuts="Control+Y Control+Shift+Z"
            >
              Redo
            </button>
          </div>
        </Panel>
      </div>
    </>
  );
}

function Refusal({
  failure,
  onSelect,
}: {
  failure: ApiFailure;
  onSelect: (fault: Fault) => void;
}): JSX.Element {
  const { faults } = failure;
  return (
    <Problem title="Not saved">
      {faults.length === 0 ? (
        <p>{failure.message}</p>
      ) : (
        <ul class="fault-list">
          {faults.map((fault, index) => (
            <li key={index}>
              <button type="button" class="link" onClick={() => onSelect(fault)}>
                {fault.message}
              </button>
            </li>
          ))}
        </ul>
      )}
      <RequestNote failure={failure} />
    </Problem>
  );
}
