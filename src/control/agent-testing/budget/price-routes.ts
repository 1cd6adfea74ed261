import type { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import type { ApiServer } from '../../http/api-server.js';
import { answers, success } from '../../http/envelope.js';
import type { Chat } from '../../models/chat-model.js';
import type { Models } from '../../models/models.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import { pricesSchema, pricesUpdate } from '../schemas/budget.js';
import type { RequirePrices } from './budget-routes.js';
import type { PriceList } from './price-list.js';

/** With the prices of organizations. */
type PricedModels = Pick<Models, 'chat' | 'judge'>;

const serviceModels = ({ chat, judge }: PricedModels): { model: Chat; use: 'conversation' | 'judge' }[] => [
  ...(chat === undefined ? [] : [{ model: chat, use: 'conversation' as const }]),
  ...(judge === undefined ? [] : [{ model: judge, use: 'judge' as const }]),
];

export const pricesRequired =
  (models: PricedModels, prices: Pick<PriceList, 'read'>): RequirePrices =>
  async (organizationId) => {
    for (const { model } of serviceModels(models))
      if ((await model.priceOf({ organizationId })) === undefined) {
        const { currency } = await prices.read(organizationId);
        throw new DemarcError(
          'MODEL_PRICE_UNKNOWN',
          `model ${model.name} has no price in ${currency} (PUT /v1/agent-testing/prices)`,
        );
      }
  };

/** `/agent-testing/prices`: read, set. */
export function priceRoutes(
  server: ApiServer,
  { models, prices }: { readonly models: PricedModels; readonly prices: PriceList },
): void {
  const view = async (organizationId: string): Promise<z.output<typeof pricesSchema>> => {
    const own = await prices.read(organizationId);
    return {
      currency: own.currency,
      models: own.models.map(({ model, prompt, completion }) => ({
        model,
        prompt_price: prompt,
        completion_price: completion,
      })),
      service_models: await Promise.all(
        serviceModels(models).map(async ({ model, use }) => {
          const price = await model.priceOf({ organizationId });
          return {
            model: model.name,
            use,
            prompt_price: price?.prompt ?? null,
            completion_price: price?.completion ?? null,
          };
        }),
      ),
    };
  };

  server.get(
    '/agent-testing/prices',
    {
      schema: {
        operationId: 'getTestPrices',
        tags,
        summary: 'Get the prices of the models of agent tests',
        description: 'Those that the organization set, and those that count for the models of the service.',
        response: answers(pricesSchema),
      },
    },
    async ({ caller }) => success(await view(caller.organizationId)),
  );

  server.put(
    '/agent-testing/prices',
    {
      schema: {
        operationId: 'setTestPrices',
        tags,
        summary: 'Set the prices of the models of agent tests',
        description:
          'Replaces all prices of the organization; they count for requests from then on. They go before the prices of the service, and give agents at their own URL a price. The currency cannot change while a budget in money is set.',
        body: pricesUpdate,
        example: {
          currency: 'EUR',
          models: [{ model: 'gpt-4o-mini', prompt_price: 0.14, completion_price: 0.55 }],
        },
        response: answers(pricesSchema),
      },
    },
    async ({ body, caller }) => {
      await prices.replace(caller.organizationId, {
        currency: body.currency,
        models: body.models.map(({ model, prompt_price: prompt, completion_price: completion }) => ({
          model,
          prompt,
          completion,
        })),
      });
      return success(await view(caller.organizationId));
    },
  );
}
