import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiRequest, written } from '../api/request.js';
import '../style/forms.css';
import { Copy } from './copy.js';
import { type CurlCommand, curlOf } from './curl.js';

interface AsCurlProps {
  /** The requests that the form would send now, with what its fields hold, in order; none: nothing has changed. */
  readonly requests: (fields: FormData) => readonly ApiRequest[];
}

/**
 * "Show as curl": the requests that the surrounding form is about to send, as commands. They follow what is typed in the form.
 */
export function AsCurl({ requests }: AsCurlProps): JSX.Element {
  const part = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [, setEdits] = useState(0);
  useEffect(() => {
    const form = part.current?.closest('form');
    if (!isOpen || form === undefined || form === null) return;
    const follow = (): void => setEdits((count) => count + 1);
    form.addEventListener('input', follow);
    form.addEventListener('change', follow);
    // What was typed between the rendering and this effect.
    follow();
    return () => {
      form.removeEventListener('input', follow);
      form.removeEventListener('change', follow);
    };
  }, [isOpen]);
  return (
    <details class="as-curl" ref={part} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Show as curl</summary>
      {isOpen && (
        <Commands
          commands={requests(fieldsAround(part.current)).map((request) =>
            curlOf(written(request), location.origin),
          )}
        />
      )}
    </details>
  );
}

/** Empty where there is no form. */
const fieldsAround = (part: Element | null): FormData => new FormData(part?.closest('form') ?? undefined);

function Commands({ commands }: { commands: readonly CurlCommand[] }): JSX.Element {
  if (commands.length === 0) return <p class="note">Nothing has changed, so nothing is sent.</p>;
  const text = commands.map((command) => command.text).join('\n\n');
  const placeholders = [...new Set(commands.flatMap((command) => command.placeholders))];
  return (
    <>
      <div class="as-curl-text">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reachable by keyboard. */}
        <pre class="message-text" tabIndex={0}>
          {text}
        </pre>
        <Copy text={text} what="curl command" />
      </div>
      <p class="note">
        <code>DEMARC_API_KEY</code> is an API key of this organization.
        {placeholders.length > 0 && ` Replace ${placeholders.join(', ')}: secrets are not shown.`}
      </p>
    </>
  );
}
