import type { JSX } from 'preact';
import { Panel } from '../../parts/panel.js';
import { changeSettings, type Fields, nodesOf } from './document-edits.js';
import { settingsShapes } from './document-shapes.js';
import { NodeChoice } from './node-form.js';
import { RecordFields } from './record-fields.js';

interface SettingsFormProps {
  readonly document: unknown;
  /** False while the text is no JSON. */
  readonly isReadable: boolean;
  readonly onChange: (document: unknown) => void;
}

/** What holds for the whole document: its start, and its settings. */
export function SettingsForm({ document, isReadable, onChange }: SettingsFormProps): JSX.Element {
  const { start_node_id, settings } = (document ?? {}) as Fields;
  const ends = nodesOf(document).map(({ id, name }) => [String(id), String(name ?? id)] as const);
  return (
    <Panel title="Settings">
      <fieldset class="stacked" disabled={!isReadable}>
        <legend class="unseen">Settings</legend>
        <NodeChoice
          label="Start at"
          id={start_node_id}
          nodes={ends}
          onChange={(id) => onChange({ ...(document as Fields), start_node_id: id })}
        />
        <RecordFields
          shapes={settingsShapes}
          record={(settings ?? {}) as Fields}
          onChange={(change) => onChange(changeSettings(document, change))}
        />
      </fieldset>
    </Panel>
  );
}
