import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAction } from '../../api/action.js';
import { type ApiRequest, send } from '../../api/request.js';
import { type CallSuite, type PersonaSuite, suiteOfCalls, suiteOfPersona } from '../../api/testing.js';
import { FormEnd } from '../../forms/form-end.js';
import { Page } from '../../frame/page.js';
import { Choice } from '../../parts/choice.js';
import { count } from '../../parts/format.js';
import { Empty } from '../../parts/notice.js';
import { Facts, Panel } from '../../parts/panel.js';
import '../../style/pathways.css';
import '../../style/testing.css';
import { backToScenarios } from './new-scenario-page.js';
import { SuitePanel } from './suite-panel.js';
import { type Target, useTargets } from './targets.js';

type Source = 'persona' | 'calls';
type Suite = PersonaSuite | CallSuite;

/** Scenarios from a persona's texts, or from real calls. */
export function GeneratePage(): JSX.Element {
  const { query } = useLocation() as { query: { readonly persona_id?: string } };
  const targets = useTargets();
  const [source, setSource] = useState<Source>('persona');
  const [suite, setSuite] = useState<Suite | undefined>();
  const [generation, setGeneration] = useState(0);
  const { isBusy, problem, follow } = useAction();
  const request = (fields: FormData): ApiRequest<Suite> => suiteRequest(source, fields);
  const generate = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    follow(send(request(new FormData(event.currentTarget))), (made) => {
      setSuite(made);
      setGeneration(generation + 1);
    });
  };
  return (
    <Page title="Generate scenarios" above={backToScenarios}>
      <Panel
        title="Source"
        note="Nothing is stored before you create it. Scenarios for the edges of a pathway are on the page of its analytics."
      >
        <form class="stacked" onSubmit={generate} aria-label="Source">
          <Choice
            label="Source"
            value={source}
            options={[
              ['persona', 'A persona'],
              ['calls', 'Real calls'],
            ]}
            onChange={(chosen) => {
              setSource(chosen);
              setSuite(undefined);
            }}
          />
          {source === 'persona' ? (
            <PersonaFields targets={targets} chosen={query.persona_id ?? ''} />
          ) : (
            <CallFields targets={targets} />
          )}
          <label>
            Most scenarios
            <input class="short" name="most" type="number" min={1} max={50} required defaultValue="10" />
          </label>
          <FormEnd
            problem={problem?.message}
            scope="agent-testing:write"
            button={isBusy ? 'Generating …' : 'Generate'}
            isBusy={isBusy}
            request={request}
          />
        </form>
      </Panel>
      {suite !== undefined && <SuiteView suite={suite} generation={generation} />}
    </Page>
  );
}

/** What was read, and the drafts made of it. */
export function SuiteView({
  suite,
  generation,
}: {
  readonly suite: Suite;
  /** Counts up with each suite: confirmations belong to one. */
  readonly generation: number;
}): JSX.Element {
  return (
    <>
      <Panel title="What was read">
        <Facts rows={factsOf(suite)} />
      </Panel>
      {suite.scenarios.length === 0 ? (
        <Empty title="No drafts">{emptyReason(suite)}</Empty>
      ) : (
        <SuitePanel key={generation} scenarios={suite.scenarios} isTrusted={isOfPersona(suite)} />
      )}
    </>
  );
}

const isOfPersona = (suite: Suite): suite is PersonaSuite => 'persona_id' in suite;

const emptyReason = (suite: Suite): string =>
  isOfPersona(suite)
    ? 'Its scenarios quote every sentence already.'
    : 'No call with stored messages is left that has no scenario. Agents store what was said in the memory of the contact.';

const shareText = ({ covered, total, percent }: PersonaSuite['prompts']): string =>
  `${percent} % (${covered} of ${total})`;

const factsOf = (suite: Suite): readonly (readonly [string, string])[] =>
  isOfPersona(suite)
    ? [
        ['Version', String(suite.version_number)],
        ['Prompts covered before', shareText(suite.prompts)],
        ['Knowledge covered before', shareText(suite.knowledge)],
        ['Written by', suite.generated_by ?? 'Rules: no language model is configured'],
      ]
    : [
        ['Calls', count(suite.examined_calls, 'call')],
        ['Without messages', String(suite.unheard_calls)],
        ['Like another one', String(suite.similar_calls)],
      ];

/** What the form asks for. */
export function suiteRequest(source: Source, fields: FormData): ApiRequest<Suite> {
  const text = (name: string): string => String(fields.get(name) ?? '').trim();
  const maximum_scenarios = Number(text('most'));
  if (source === 'persona') return suiteOfPersona({ persona_id: text('persona'), maximum_scenarios });
  const [kind, id] = text('target').split(' ');
  return suiteOfCalls({
    ...(text('number') === '' ? {} : { number: text('number') }),
    ...(kind === 'pathway' ? { pathway_id: id } : kind === 'persona' ? { persona_id: id } : {}),
    days: Number(text('days')),
    maximum_scenarios,
  });
}

const ofKind = (targets: readonly Target[], kind: Target['kind']): readonly Target[] =>
  targets.filter((target) => target.kind === kind);

function PersonaFields({
  targets,
  chosen,
}: {
  readonly targets: readonly Target[];
  readonly chosen: string;
}): JSX.Element {
  return (
    <label>
      Persona
      <select name="persona" required>
        <option value="">Choose a persona</option>
        {ofKind(targets, 'persona').map(({ id, name }) => (
          <option value={id} key={id} selected={id === chosen}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function CallFields({ targets }: { readonly targets: readonly Target[] }): JSX.Element {
  const [target, setTarget] = useState('');
  const needsNumber = !target.startsWith('persona');
  return (
    <>
      <label>
        Agent under test
        <select name="target" value={target} onChange={({ currentTarget }) => setTarget(currentTarget.value)}>
          <option value="">The persona of the number</option>
          {(['pathway', 'persona'] as const).map((kind) => (
            <optgroup label={kind === 'pathway' ? 'Pathways' : 'Personas'} key={kind}>
              {ofKind(targets, kind).map(({ id, name }) => (
                <option value={`${kind} ${id}`} key={id}>
                  {name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <label>
        Number
        <input
          name="number"
          type="tel"
          required={needsNumber}
          placeholder={needsNumber ? '+14155550100' : 'Those of the persona'}
          autocomplete="off"
        />
      </label>
      <label>
        Days back
        <input class="short" name="days" type="number" min={1} max={90} required defaultValue="7" />
      </label>
    </>
  );
}
