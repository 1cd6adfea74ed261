import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { categories, type GeneratedScenario } from '../../api/testing.js';
import { count } from '../../parts/format.js';
import { Panel } from '../../parts/panel.js';
import { Untrusted } from '../../parts/untrusted.js';
import { summaryOf } from './assertion-fields.js';
import { CreateScenarios } from './create-scenarios.js';
import {
  allConfirmed,
  type Confirmed,
  confirmedBodies,
  keyOf,
  toggled,
  toggledScenario,
} from './suite-choice.js';

type Evidence = GeneratedScenario['evidence'][number];

const sources: Readonly<Record<Evidence['source'], string>> = {
  orchestration_prompt: 'Prompt, what the agent does',
  personality_prompt: 'Prompt, how the agent speaks',
  knowledge: 'Knowledge',
  transcript: 'Said by the agent',
  call_record: 'Record of the call',
  agent_report: 'Reported by the agent',
};

interface SuiteProps {
  readonly scenarios: readonly GeneratedScenario[];
  /** False: what they are based on may be wrong, so that each assertion waits for a person. */
  readonly isTrusted: boolean;
}

/** Generated scenarios with the evidence of their assertions, to choose from and create. */
export function SuitePanel({ scenarios, isTrusted }: SuiteProps): JSX.Element {
  const [confirmed, setConfirmed] = useState<Confirmed>(() =>
    isTrusted ? allConfirmed(scenarios) : new Set(),
  );
  const bodies = confirmedBodies(scenarios, confirmed);
  const isAimed = bodies.every(({ pathway_id: pathway, persona_id: persona }) => pathway || persona);
  return (
    <Panel
      title="Drafts"
      note={
        isTrusted
          ? 'A scenario is created with the assertions that are selected, and not at all without one.'
          : 'What the agent did was not always right: select the assertions that must hold. A scenario without one is not created.'
      }
    >
      <ol class="stacked">
        {scenarios.map((generated, at) => (
          <Draft
            key={generated.scenario.name}
            generated={generated}
            isConfirmed={(index) => confirmed.has(keyOf(at, index))}
            onToggle={(index) => setConfirmed(toggled(confirmed, [keyOf(at, index)]))}
            onToggleAll={() => setConfirmed(toggledScenario(confirmed, scenarios, at))}
          />
        ))}
      </ol>
      <div class="buttons">
        {isAimed ? (
          <CreateScenarios scenarios={bodies} text={`Create ${count(bodies.length, 'scenario')}`} />
        ) : (
          <p class="note">Choose above what they test, and generate again.</p>
        )}
      </div>
    </Panel>
  );
}

function Draft({
  generated: { scenario, evidence },
  isConfirmed,
  onToggle,
  onToggleAll,
}: {
  readonly generated: GeneratedScenario;
  readonly isConfirmed: (assertion: number) => boolean;
  readonly onToggle: (assertion: number) => void;
  readonly onToggleAll: () => void;
}): JSX.Element {
  const { name, category, channel, tester_persona_prompt: prompt, input_messages: lines } = scenario;
  const caller = prompt === '' ? lines.filter(({ role }) => role === 'user') : [];
  return (
    <li class="assertion stacked">
      <p class="result-head">
        <strong>
          <Untrusted text={name} />
        </strong>
        <span class="chip">{categories[category]}</span>
        {channel === 'voice' && <span class="chip">By voice</span>}
      </p>
      <details>
        <summary>Caller</summary>
        {prompt !== '' && <p class="prose">{prompt}</p>}
        <ul class="fault-list">
          {caller.map(({ content }, index) => (
            <li key={index}>
              <Untrusted text={content} />
            </li>
          ))}
        </ul>
      </details>
      <fieldset class="stacked">
        <legend class="unseen">Assertions of {name}</legend>
        {scenario.assertions.map((assertion, index) => (
          <label class="check" key={assertion.order}>
            <input type="checkbox" checked={isConfirmed(index)} onChange={() => onToggle(index)} />
            <span class="party">
              <span>{assertion.name ?? summaryOf(assertion.type, assertion.config)}</span>
              {evidence
                .filter(({ assertion: position }) => position === index)
                .map(({ source, quote, kb_name: base }) => (
                  <span class="muted breakable" key={quote}>
                    {sources[source]}
                    {base !== null && ` “${base}”`}: <Untrusted text={quote} />
                  </span>
                ))}
            </span>
          </label>
        ))}
      </fieldset>
      {scenario.assertions.length > 1 && (
        <div class="buttons">
          <button type="button" class="small" onClick={onToggleAll}>
            All assertions<span class="unseen"> of {name}</span>
          </button>
        </div>
      )}
    </li>
  );
}
