import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

interface PanelProps {
  readonly title: string;
  /** Controls or a figure next to the title. */
  readonly aside?: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A section of a page. */
export function Panel({ title, aside, note, class: name = '', children }: PanelProps): JSX.Element {
  const id = useId();
  return (
    <section class={`panel ${name}`} aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <div class="panel-aside">{aside}</div>}
      </header>
      {note !== undefined && <p class="note">{note}</p>}
      {children}
    </section>
  );
}

/** A list of names and values. */
export function Facts({
  rows,
}: {
  rows: readonly (readonly [name: string, value: ComponentChildren])[];
}): JSX.Element {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A table that may be wider than a phone; it then scrolls on its own, also with the keyboard. */
export function WideTable({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reachable by keyboard.
    <section class="wide" aria-label={label} tabIndex={0}>
      <table>
        <caption class="unseen">{label}</caption>
        {children}
      </table>
    </section>
  );
}

/** The values of a drawing as a table, for screen readers and for exact figures; it scrolls on its own. */
export function AsTable({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  return (
    <details class="as-table">
      <summary>As a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reachable by keyboard. */}
      <section aria-label={label} tabIndex={0}>
        <table>{children}</table>
      </section>
    </details>
  );
}

/** @param columns heading and classes of each column */
export function TableHead({ columns }: { columns: Readonly<Record<string, string>> }): JSX.Element {
  return (
    <thead>
      <tr>
        {Object.entries(columns).map(([name, classes]) => (
          <th scope="col" class={classes || undefined} key={name}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
