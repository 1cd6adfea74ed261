import type { JSX } from 'preact';
import { Copy } from '../../parts/copy.js';

interface OneTimeLinkProps {
  /** `invitation link`. */
  readonly what: string;
  readonly link: string;
  readonly hours: number;
}

/** A link that is shown only now. */
export function OneTimeLink({ what, link, hours }: OneTimeLinkProps): JSX.Element {
  return (
    <div class="shown-once">
      <p>
        <b>Shown only now.</b> The {what} works once, for {hours} hours.
      </p>
      <code class="breakable">{link}</code>
      <Copy text={link} what={what} />
    </div>
  );
}
