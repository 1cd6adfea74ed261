import type { JSX } from 'preact';
import type { OutboundSetup } from '../../api/setup.js';
import { Copy } from '../../parts/copy.js';
import { dateTime } from '../../parts/format.js';
import { Icon } from '../../parts/icons.js';
import { Facts } from '../../parts/panel.js';
import { State } from '../../parts/state.js';
import type { GuidePart } from './guide.js';

interface PartProps {
  readonly part: GuidePart;
  readonly authority: OutboundSetup['certificate_authority'];
  /** Lets addresses call the number. */
  readonly callers: (addresses: readonly string[]) => JSX.Element;
}

/** One part of a step. */
export function Part({ part, authority, callers }: PartProps): JSX.Element | null {
  switch (part.kind) {
    case 'note':
      return <p>{part.text}</p>;
    case 'warning':
      return (
        <p class="guide-warning">
          <State tone="warn">Note</State> {part.text}
        </p>
      );
    case 'source':
      return (
        <p>
          <a href={part.href} rel="noreferrer" target="_blank">
            {part.text}
          </a>
        </p>
      );
    case 'callers':
      return callers(part.addresses);
    case 'authority':
      return authority === null ? null : <Authority authority={authority} />;
    case 'file':
      return <File title={part.title} text={part.text} />;
    case 'fields':
      return <Fields title={part.title} rows={part.rows} />;
  }
}

function Authority({
  authority: { certificate, sha256, subject, not_after },
}: {
  authority: NonNullable<OutboundSetup['certificate_authority']>;
}): JSX.Element {
  return (
    <>
      <Facts
        rows={[
          ['CA of Demarc', <span class="breakable">{subject}</span>],
          [
            'SHA-256 fingerprint',
            <span class="identifier">
              <span class="mono breakable">{sha256}</span>
              <Copy text={sha256} what="the fingerprint" isBare />
            </span>,
          ],
          ['Valid until', dateTime(not_after)],
        ]}
      />
      <p class="buttons">
        <a
          class="button"
          href={`data:application/x-pem-file;base64,${btoa(certificate)}`}
          download="demarc-ca.crt"
        >
          <Icon name="download" /> Download demarc-ca.crt
        </a>
      </p>
    </>
  );
}

function File({ title, text }: { title: string; text: string }): JSX.Element {
  return (
    <section aria-label={title} class="file">
      <header class="panel-head">
        <h3>{title}</h3>
        <Copy text={text} what={title} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reachable by keyboard. */}
      <pre class="message-text" tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}

/** A value that the reader has to know is described instead, and is nothing to copy. */
const isInstruction = (value: string): boolean => value.startsWith('the ');

function Fields({
  title,
  rows,
}: {
  title: string;
  rows: readonly (readonly [name: string, value: string])[];
}): JSX.Element {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <table class="plain fields">
        <caption class="unseen">{title}</caption>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={`${name} ${value}`}>
              <th scope="row">{name}</th>
              <td class="breakable">{isInstruction(value) ? value : <b>{value}</b>}</td>
              <td class="number">{!isInstruction(value) && <Copy text={value} what={name} isBare />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
