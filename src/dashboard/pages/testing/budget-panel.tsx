import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { type Budget, readBudget, setBudget } from '../../api/testing.js';
import { money, whole } from '../../parts/format.js';
import { Loaded, Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { When } from '../../parts/time.js';
import { PricesPanel } from './prices-panel.js';

const scopes = [
  ['day', 'day (UTC)'],
  ['month', 'month (UTC)'],
  ['run', 'run'],
  ['set', 'batch or simulation'],
  ['gate', 'promotion'],
] as const;

/** What the models of tests have taken, and how much they may take. */
export function BudgetPanel(): JSX.Element {
  const budget = useResource('test budget', readBudget, { everyMilliseconds: 15_000 });
  return (
    <>
      <Panel
        title="Tokens and cost"
        note="What the language models of tests take, and cost by their prices. Once a limit is reached, no test that asks a model is started, and runs in progress end with an error."
      >
        <Loaded what="budget" from={budget}>
          {(data) => (
            <>
              {data.is_used_up && <UsedUp budget={data} />}
              <Limits
                key={scopes
                  .flatMap(([scope]) => [data[`tokens_per_${scope}`], data[`cost_per_${scope}`]])
                  .join(' ')}
                budget={data}
                onChanged={budget.reload}
              />
            </>
          )}
        </Loaded>
      </Panel>
      <PricesPanel onChanged={budget.reload} />
    </>
  );
}

function UsedUp({ budget }: { budget: Budget }): JSX.Element {
  const { limit_per_month: perMonth, cost_per_month: costPerMonth } = budget;
  const isMonth =
    (perMonth !== null && budget.used_this_month >= perMonth) ||
    (costPerMonth !== null && budget.cost_this_month >= costPerMonth);
  return (
    <Problem title="The budget is used up">
      <p>
        Tests can be started again at <When at={isMonth ? budget.month_ends_at : budget.day_ends_at} />, or
        with a higher limit.
      </p>
    </Problem>
  );
}

const limitOf = (form: FormData, name: string): number | null => {
  const text = String(form.get(name) ?? '').trim();
  return text === '' ? null : Number(text);
};

function Limits({ budget, onChanged }: { budget: Budget; onChanged: () => void }): JSX.Element {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const save = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setProblem(undefined);
    const form = new FormData(event.currentTarget);
    setBudget({
      tokens_per_day: limitOf(form, 'tokens_day'),
      tokens_per_month: limitOf(form, 'tokens_month'),
      tokens_per_run: limitOf(form, 'tokens_run'),
      tokens_per_set: limitOf(form, 'tokens_set'),
      tokens_per_gate: limitOf(form, 'tokens_gate'),
      cost_per_day: limitOf(form, 'cost_day'),
      cost_per_month: limitOf(form, 'cost_month'),
      cost_per_run: limitOf(form, 'cost_run'),
      cost_per_set: limitOf(form, 'cost_set'),
      cost_per_gate: limitOf(form, 'cost_gate'),
    }).then(onChanged, setProblem);
  };
  const amount = (value: number): string => money({ amount: value, currency: budget.currency });
  const limitText = (value: number | null): string | undefined =>
    value === null ? undefined : amount(value);
  return (
    <form class="filters" onSubmit={save}>
      <dl class="verdict-figures">
        <Used
          name="Today"
          used={whole(budget.used_today)}
          limit={budget.limit_per_day === null ? undefined : whole(budget.limit_per_day)}
        />
        <Used
          name="This month"
          used={whole(budget.used_this_month)}
          limit={budget.limit_per_month === null ? undefined : whole(budget.limit_per_month)}
        />
        <Used name="Cost today" used={amount(budget.cost_today)} limit={limitText(budget.cost_per_day)} />
        <Used
          name="Cost this month"
          used={amount(budget.cost_this_month)}
          limit={limitText(budget.cost_per_month)}
        />
      </dl>
      {scopes.map(([scope, name]) => (
        <Limit
          key={scope}
          name={`tokens_${scope}`}
          label={`Limit per ${name}`}
          value={budget[`tokens_per_${scope}`]}
        />
      ))}
      {scopes.map(([scope, name]) => (
        <Limit
          key={scope}
          name={`cost_${scope}`}
          label={`${budget.currency} per ${name}`}
          value={budget[`cost_per_${scope}`]}
          isMoney
        />
      ))}
      <button type="submit">Set limits</button>
      {problem !== undefined && (
        <Problem title="Not set">
          <p>{problem.message}</p>
        </Problem>
      )}
    </form>
  );
}

function Limit({
  name,
  label,
  value,
  isMoney = false,
}: {
  name: string;
  label: string;
  value: number | null;
  isMoney?: boolean;
}): JSX.Element {
  return (
    <label>
      {label}
      <input
        type="number"
        name={name}
        min={isMoney ? 0 : 1}
        step={isMoney ? 'any' : 1}
        placeholder="None"
        defaultValue={value?.toString() ?? ''}
      />
    </label>
  );
}

function Used({ name, used, limit }: { name: string; used: string; limit: string | undefined }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="figure">
        {used}
        {limit !== undefined && <small> of {limit}</small>}
      </dd>
    </div>
  );
}
