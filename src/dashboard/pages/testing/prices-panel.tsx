import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { type Prices, readPrices, setPrices } from '../../api/testing.js';
import { Loaded, Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';

/** What a million tokens of each model cost. @param onChanged budgets and costs follow the prices */
export function PricesPanel({ onChanged }: { readonly onChanged: () => void }): JSX.Element {
  const prices = useResource('prices of models', readPrices);
  return (
    <Panel
      title="Prices of models"
      note="Per million tokens. A run whose model has no price in this currency has no cost. Add the model of an agent at its own URL by its name."
    >
      <Loaded what="prices" from={prices}>
        {(data) => (
          <PricesForm
            key={JSON.stringify(data)}
            prices={data}
            onSaved={() => {
              prices.reload();
              onChanged();
            }}
          />
        )}
      </Loaded>
    </Panel>
  );
}

interface Price {
  readonly prompt_price: number | null;
  readonly completion_price: number | null;
}

/** A model of the service, or another one that the organization has a price for. */
export interface PriceRow {
  readonly model: string;
  /** Of the organization; undefined: none. */
  readonly own: Price | undefined;
  /** That counts without one of the organization; undefined: none. */
  readonly usual: Price | undefined;
}

/** Each model once, those of the service first. */
export function priceRows({ models, service_models: service }: Prices): PriceRow[] {
  const names = [...new Set([...service, ...models].map(({ model }) => model))];
  return names.map((name) => ({
    model: name,
    own: models.find(({ model }) => model === name),
    usual: service.find(({ model }) => model === name),
  }));
}

/** What is sent: the rows that have a name and both prices. */
export const pricesOf = (fields: FormData): Parameters<typeof setPrices>[0] => {
  const all = (name: string): string[] => fields.getAll(name).map((value) => String(value).trim());
  const [names, prompts, completions] = [all('model'), all('prompt'), all('completion')];
  return {
    currency: String(fields.get('currency') ?? '')
      .trim()
      .toUpperCase(),
    models: names.flatMap((model, index) => {
      const [prompt, completion] = [prompts[index] ?? '', completions[index] ?? ''];
      if (model === '' || prompt === '' || completion === '') return [];
      return { model, prompt_price: Number(prompt), completion_price: Number(completion) };
    }),
  };
};

export function PricesForm({ prices, onSaved }: { prices: Prices; onSaved: () => void }): JSX.Element {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const save = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setProblem(undefined);
    setPrices(pricesOf(new FormData(event.currentTarget))).then(onSaved, setProblem);
  };
  return (
    <form class="plain-form" onSubmit={save} aria-label="Prices of models">
      <label>
        Currency
        <input
          class="short"
          name="currency"
          required
          pattern="[A-Za-z]{3}"
          maxLength={3}
          title="A code of ISO 4217, such as USD"
          autocomplete="off"
          defaultValue={prices.currency}
        />
      </label>
      {[...priceRows(prices), { model: '', own: undefined, usual: undefined }].map(
        ({ model, own, usual }) => (
          <div class="field-row" key={model}>
            <label>
              {model === '' ? 'Another model' : 'Model'}
              <input name="model" maxLength={200} autocomplete="off" defaultValue={model} />
            </label>
            <PriceField
              name="prompt"
              label="Sent"
              of={model}
              value={own?.prompt_price}
              usual={usual?.prompt_price}
            />
            <PriceField
              name="completion"
              label="Received"
              of={model}
              value={own?.completion_price}
              usual={usual?.completion_price}
            />
          </div>
        ),
      )}
      {problem !== undefined && (
        <Problem title="Not set">
          <p>{problem.message}</p>
        </Problem>
      )}
      <div class="buttons">
        <button type="submit">Set prices</button>
      </div>
    </form>
  );
}

function PriceField({
  name,
  label,
  of,
  value,
  usual,
}: {
  readonly name: string;
  readonly label: string;
  readonly of: string;
  readonly value: number | null | undefined;
  readonly usual: number | null | undefined;
}): JSX.Element {
  return (
    <label>
      {label}
      <span class="unseen"> {of === '' ? 'of another model' : `of ${of}`}</span>
      <input
        class="short"
        type="number"
        name={name}
        min={0}
        step="any"
        placeholder={usual?.toString() ?? 'Unknown'}
        defaultValue={value?.toString() ?? ''}
      />
    </label>
  );
}
