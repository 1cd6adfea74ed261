import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { type Budget, readBudget, setBudget } from '../../api/testing.js';
import { whole } from '../../parts/format.js';
import { Loaded, Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { When } from '../../parts/time.js';

/** What the models of tests have taken, and how much they may take. */
export function BudgetPanel(): JSX.Element {
  const budget = useResource('token budget', readBudget, { everyMilliseconds: 15_000 });
  return (
    <Panel
      title="Tokens"
      note="What the language models of tests take. Once a limit is reached, no test that asks a model is started, and runs in progress end with an error."
    >
      <Loaded what="token budget" from={budget}>
        {(data) => (
          <>
            {data.is_used_up && <UsedUp budget={data} />}
            <Limits
              key={[
                data.tokens_per_day,
                data.tokens_per_month,
                data.tokens_per_run,
                data.tokens_per_set,
                data.tokens_per_gate,
              ].join(' ')}
              budget={data}
              onChanged={budget.reload}
            />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function UsedUp({ budget }: { budget: Budget }): JSX.Element {
  const { limit_per_month: perMonth, used_this_month: used } = budget;
  const isMonth = perMonth !== null && used >= perMonth;
  return (
    <Problem title="The token budget is used up">
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
      tokens_per_day: limitOf(form, 'day'),
      tokens_per_month: limitOf(form, 'month'),
      tokens_per_run: limitOf(form, 'run'),
      tokens_per_set: limitOf(form, 'set'),
      tokens_per_gate: limitOf(form, 'gate'),
    }).then(onChanged, setProblem);
  };
  return (
    <form class="filters" onSubmit={save}>
      <dl class="verdict-figures">
        <Used name="Today" used={budget.used_today} limit={budget.limit_per_day} />
        <Used name="This month" used={budget.used_this_month} limit={budget.limit_per_month} />
      </dl>
      <Limit name="day" label="Limit per day (UTC)" value={budget.tokens_per_day} />
      <Limit name="month" label="Limit per month (UTC)" value={budget.tokens_per_month} />
      <Limit name="run" label="Limit per run" value={budget.tokens_per_run} />
      <Limit name="set" label="Limit per batch or simulation" value={budget.tokens_per_set} />
      <Limit name="gate" label="Limit per promotion" value={budget.tokens_per_gate} />
      <button type="submit">Set limits</button>
      {problem !== undefined && (
        <Problem title="Not set">
          <p>{problem.message}</p>
        </Problem>
      )}
    </form>
  );
}

function Limit({ name, label, value }: { name: string; label: string; value: number | null }): JSX.Element {
  return (
    <label>
      {label}
      <input type="number" name={name} min={1} placeholder="None" defaultValue={value?.toString() ?? ''} />
    </label>
  );
}

function Used({ name, used, limit }: { name: string; used: number; limit: number | null }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="figure">
        {whole(used)}
        {limit !== null && <small> of {whole(limit)}</small>}
      </dd>
    </div>
  );
}
