import type { JSX } from 'preact';
import { Copy } from '../../parts/copy.js';
import { Untrusted } from '../../parts/untrusted.js';

/** A signing secret, which is shown only now. */
export function ShownSecret({ secret, url }: { secret: string; url: string }): JSX.Element {
  return (
    <div class="shown-once panel-like" role="status">
      <p>
        <b>Shown only now.</b> Signing secret of <Untrusted text={url} />. Your server verifies{' '}
        <code>X-Demarc-Signature</code> with it.
      </p>
      <code class="breakable">{secret}</code>
      <Copy text={secret} what="signing secret" />
    </div>
  );
}
