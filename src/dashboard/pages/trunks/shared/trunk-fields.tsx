import type { JSX } from 'preact';
import { At, FieldProblem, TextField, useField } from '../../../forms/fields.js';
import { capitalized } from '../../../parts/format.js';
import { Icon } from '../../../parts/icons.js';
import { Panel } from '../../../parts/panel.js';
import type { DirectionFields } from '../edit/direction-fields.js';
import { ConnectionFields, PolicyFields } from '../edit/field-sets.js';
import { storedFor, type TrunkDraft } from './trunk-draft.js';

const mostDirections = 10;

/** Every field that the API has for a shared trunk. `before`: as it is stored. */
export function TrunkFields({ before, draft }: { before: TrunkDraft; draft: TrunkDraft }): JSX.Element {
  const list = useField('directions');
  const { directions } = draft;
  const add = (direction: DirectionFields): void => list.set([...directions, direction]);
  const titleOf = ({ type }: DirectionFields): string => (type === 'inbound' ? 'Callers' : 'Server');
  return (
    <>
      <Panel title="Trunk">
        <div class="fields-grid">
          <TextField path="name" label="Name" placeholder="Headquarters" />
        </div>
        <FieldProblem text={directions.length === 0 ? list.problem : undefined} />
        <div class="buttons">
          <button
            type="button"
            class="small"
            disabled={directions.length >= mostDirections}
            onClick={() => add({ type: 'outbound' })}
          >
            <Icon name="add" />
            Add server
          </button>
          <button
            type="button"
            class="small"
            disabled={directions.length >= mostDirections}
            onClick={() => add({ type: 'inbound', auth_mode: 'ip' })}
          >
            <Icon name="add" />
            Add callers
          </button>
        </div>
      </Panel>
      <div class="edit-columns">
        {directions.map((direction, at) => (
          <Panel
            // A direction has no identity but its place.
            key={`${at} ${direction.type}`}
            title={`${titleOf(direction)} (${at + 1} of ${directions.length})`}
            aside={
              <button
                type="button"
                class="bare small"
                onClick={() => list.set(directions.filter((_, index) => index !== at))}
              >
                Remove<span class="unseen"> {titleOf(direction)}</span>
              </button>
            }
          >
            <At path={`directions.${at}`}>
              <div class="edit-form">
                <ConnectionFields fields={direction} stored={storedFor(before, direction)} />
              </div>
            </At>
          </Panel>
        ))}
        {(['inbound', 'outbound'] as const).map((direction) => (
          <Panel
            key={direction}
            title={`${capitalized(direction)} calls`}
            note={`Calls ${direction === 'inbound' ? 'to' : 'from'} all numbers of the trunk together.`}
          >
            <At path={direction}>
              <div class="edit-form">
                <PolicyFields direction={direction} />
              </div>
            </At>
          </Panel>
        ))}
      </div>
    </>
  );
}
