import type { JSX } from 'preact';
import type * as api from '../../../../../clients/typescript/src/index.js';
import { CheckField, FieldProblem, useField } from '../../../forms/fields.js';
import { OrderedList } from '../../../forms/ordered-list.js';

type Codec = api.CodecSettings['codecs'][number];

/** In the order of the API's list; `satisfies` keeps it complete. */
const descriptions = {
  PCMU: 'G.711 µ-law, 8 kHz',
  PCMA: 'G.711 A-law, 8 kHz',
  Opus: '48 kHz, adapts to loss',
  'G.722': 'wideband, 16 kHz',
  'G.729': '8 kbit/s, for narrow links',
} as const satisfies Readonly<Record<Codec, string>>;
const allCodecs = Object.keys(descriptions) as readonly Codec[];
/** What the service offers where the API has no list. */
export const defaultCodecs: readonly Codec[] = ['PCMU', 'PCMA', 'Opus'];

/** Enabled codecs in their order of preference, and the others. */
export function CodecFields(): JSX.Element {
  const section = useField('codec_config');
  const field = useField('codec_config.codecs');
  const codecs = (field.value as readonly Codec[] | undefined) ?? defaultCodecs;
  const unused = allCodecs.filter((codec) => !codecs.includes(codec));
  return (
    <fieldset class="form-section">
      <legend>Codecs</legend>
      <p class="note">
        {field.value === undefined
          ? 'The service’s default. The first codec that both sides have is used.'
          : 'The first codec that both sides have is used.'}
      </p>
      <OrderedList
        label="Codecs, most preferred first"
        items={codecs}
        keyOf={(codec) => codec}
        nameOf={(codec) => codec}
        onOrder={field.set}
      >
        {(codec) => (
          <>
            <b>{codec}</b>
            <span class="muted">{descriptions[codec]}</span>
            <button
              type="button"
              class="bare small at-end"
              disabled={codecs.length === 1}
              title={codecs.length === 1 ? 'One codec is required' : undefined}
              onClick={() => field.set(codecs.filter((candidate) => candidate !== codec))}
            >
              Disable<span class="unseen"> {codec}</span>
            </button>
          </>
        )}
      </OrderedList>
      <FieldProblem text={field.problem} />
      <div class="buttons">
        {unused.map((codec) => (
          <button
            type="button"
            class="small"
            key={codec}
            title={descriptions[codec]}
            onClick={() => field.set([...codecs, codec])}
          >
            Enable {codec}
          </button>
        ))}
        {section.value !== undefined && (
          <button type="button" class="bare small" onClick={() => section.set(undefined)}>
            Use the default
          </button>
        )}
      </div>
      <CheckField
        path="codec_config.transcode"
        label="Transcode"
        note="Converts between a codec of the trunk and one of the agent when they have none in common. Costs CPU and some quality"
      />
    </fieldset>
  );
}
