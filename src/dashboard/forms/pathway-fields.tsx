import type { JSX } from 'preact';
import { readPathways } from '../api/pathways.js';
import { useResource } from '../api/resource.js';

/** What calls follow; null: no pathway, or its live version. */
export interface FollowedPathway {
  readonly id: string | null;
  readonly version: number | null;
}

/** A pathway and one of its versions. @param none what it means that none is chosen */
export function PathwayFields({ chosen, none }: { chosen: FollowedPathway; none: string }): JSX.Element {
  const { data = [] } = useResource('pathways', readPathways);
  // One that is outside the list stays chosen.
  const isListed = chosen.id === null || data.some(({ id }) => id === chosen.id);
  return (
    <>
      <label>
        Pathway
        {/* A new field when the list has come: its choice is among the options from then on. */}
        <select name="pathway" key={data.length} defaultValue={chosen.id ?? ''}>
          <option value="">{none}</option>
          {!isListed && <option value={chosen.id!}>{chosen.id}</option>}
          {data.map(({ id, name, current_production_version: live }) => (
            <option key={id} value={id}>
              {live === null ? `${name} (never promoted)` : name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Version of the pathway
        <input
          name="pathway_version"
          type="number"
          min={1}
          step={1}
          placeholder="Live"
          defaultValue={chosen.version ?? undefined}
        />
        <small class="note">
          Empty: the version that is live when a call begins. Drafts and forks have passed no gate.
        </small>
      </label>
    </>
  );
}

/** What the fields of a form say. */
export function pathwayOf(fields: FormData): FollowedPathway {
  const id = String(fields.get('pathway') ?? '') || null;
  const version = String(fields.get('pathway_version') ?? '').trim();
  return { id, version: id === null || version === '' ? null : Number(version) };
}

/** The voice that the agent of calls is asked for. */
export function VoiceField({ voice, note }: { voice: string | null; note: string }): JSX.Element {
  return (
    <label>
      Voice
      <input name="voice" maxLength={128} autocomplete="off" defaultValue={voice ?? ''} />
      <small class="note">{note}</small>
    </label>
  );
}

/** Of a call or batch that is ordered, folded: most take those of the number. */
export function OwnPathwayAndVoice(): JSX.Element {
  return (
    <details>
      <summary>Pathway and voice</summary>
      <PathwayFields chosen={{ id: null, version: null }} none="That of the number or its persona" />
      <VoiceField voice={null} note="Name of a voice, as your agent knows it. Empty: that of the persona." />
    </details>
  );
}

/** Null: none. */
export const voiceOf = (fields: FormData): string | null => String(fields.get('voice') ?? '').trim() || null;
