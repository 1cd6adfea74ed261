import type { JSX } from 'preact';

/** Says that no language model took part. */
export function StandInNotice(): JSX.Element {
  return (
    <div class="problem mild">
      <p>
        <strong>No language model is configured.</strong> The stand-in answered by rules, so this result says
        nothing about your agent. Set <code>DEMARC_LLM_URL</code> to an OpenAI-compatible interface.
      </p>
    </div>
  );
}
