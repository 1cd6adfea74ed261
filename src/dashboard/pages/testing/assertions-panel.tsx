import type { JSX } from 'preact';
import { Empty } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { type AssertionType, assertionForms, assertionTypes } from './assertion-fields.js';
import { AssertionForm } from './assertion-form.js';
import type { useNodes } from './nodes.js';
import { newAssertion } from './scenario-draft.js';
import type { PanelProps } from './target-panel.js';

export type Nodes = ReturnType<typeof useNodes>;

/** The assertions of a scenario, and a choice of further ones. */
export function AssertionsPanel({
  draft: { assertions },
  nodes,
  problemsOf,
  onChange,
}: PanelProps & { nodes: Nodes; problemsOf: (index: number) => readonly string[] }): JSX.Element {
  return (
    <Panel
      title="Assertions"
      note="What must hold after the conversation. A run passes when all required assertions pass; its score is their weighted mean."
    >
      {assertions.length === 0 ? (
        <Empty title="No assertions">Without one, every conversation that ends passes.</Empty>
      ) : (
        <ol class="assertions">
          {assertions.map((assertion, index) => (
            <AssertionForm
              key={assertion.key}
              assertion={assertion}
              position={index + 1}
              nodes={nodes}
              problems={problemsOf(index)}
              onChange={(changed) =>
                onChange({
                  assertions: assertions.map((assertion, at) => (at === index ? changed : assertion)),
                })
              }
              onRemove={() => onChange({ assertions: assertions.filter((_, at) => at !== index) })}
            />
          ))}
        </ol>
      )}
      <label class="add-assertion">
        <span class="unseen">Add an assertion</span>
        <select
          value=""
          onChange={({ currentTarget }) => {
            const type = currentTarget.value as AssertionType | '';
            currentTarget.value = '';
            if (type !== '') onChange({ assertions: [...assertions, newAssertion(type)] });
          }}
        >
          <option value="">Add an assertion …</option>
          {assertionTypes.map((type) => (
            <option value={type} key={type}>
              {assertionForms[type].title}
            </option>
          ))}
        </select>
      </label>
    </Panel>
  );
}
