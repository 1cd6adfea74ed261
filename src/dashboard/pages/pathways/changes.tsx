import type { JSX } from 'preact';
import { capitalized, spoken } from '../../parts/format.js';
import { diffWords } from './text-diff.js';

/** A value before and after a change, as removed and added lines with the words that differ. */
export function BeforeAndAfter({ before, after }: { before: unknown; after: unknown }): JSX.Element {
  const [old, current] = [written(before), written(after)];
  const parts = diffWords(old ?? '', current ?? '');
  // Words are marked where some stay the same; else the whole text is new.
  const isMarked = old !== undefined && current !== undefined && parts.some(({ kind }) => kind === 'same');
  return (
    <div class="change-values">
      {old !== undefined && (
        <div class="removed">
          <span aria-hidden="true">−</span>
          <span>
            <span class="unseen">Before: </span>
            {isMarked
              ? parts.map(({ kind, text }, index) =>
                  kind === 'added' ? null : kind === 'removed' ? <del key={index}>{text}</del> : text,
                )
              : old}
          </span>
        </div>
      )}
      {current !== undefined && (
        <div class="added">
          <span aria-hidden="true">+</span>
          <span>
            <span class="unseen">After: </span>
            {isMarked
              ? parts.map(({ kind, text }, index) =>
                  kind === 'removed' ? null : kind === 'added' ? <ins key={index}>{text}</ins> : text,
                )
              : current}
          </span>
        </div>
      )}
    </div>
  );
}

const written = (value: unknown): string | undefined => {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
};

export interface Change {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly element: 'node' | 'edge' | 'settings' | 'start_node_id';
  readonly id: string | null;
  readonly name: string | null;
  readonly field: string | null;
  readonly affects: 'conversation' | 'layout';
  readonly before: unknown;
  readonly after: unknown;
}

const elementWords: Readonly<Record<Change['element'], string>> = {
  node: 'Node',
  edge: 'Edge',
  settings: 'Settings',
  start_node_id: 'Start node',
};

/** The changes between two documents. What was only moved in the graph is folded. */
export function Changes({ changes }: { changes: readonly Change[] }): JSX.Element {
  const moved = changes.filter(({ affects }) => affects === 'layout');
  return (
    <>
      <ChangeList changes={changes.filter(({ affects }) => affects === 'conversation')} />
      {moved.length > 0 && (
        <details>
          <summary>
            {moved.length === 1 ? '1 node' : `${moved.length} nodes`} moved in the graph; conversations do not
            depend on it
          </summary>
          <ChangeList changes={moved} />
        </details>
      )}
    </>
  );
}

function ChangeList({ changes }: { changes: readonly Change[] }): JSX.Element | null {
  if (changes.length === 0) return null;
  return (
    <ol class="changes">
      {changes.map((change, index) => (
        <li class="change" key={index}>
          <p class="change-head">
            <strong>
              {elementWords[change.element]} {change.name ?? ''}
            </strong>
            {change.field !== null && change.element !== 'start_node_id' && (
              <span>{capitalized(spoken(change.field))}</span>
            )}
            <span class="chip">{change.kind}</span>
            {change.id !== null && <code class="muted">{change.id}</code>}
          </p>
          <BeforeAndAfter before={change.before} after={change.after} />
        </li>
      ))}
    </ol>
  );
}
