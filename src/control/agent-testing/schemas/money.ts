import { z } from 'zod';

export const currencySchema = z
  .string()
  .regex(/^[A-Z]{3}$/, 'Must be a currency code of ISO 4217, such as USD')
  .meta({ description: 'Currency code of ISO 4217.', examples: ['EUR'] });

export const moneySchema = z
  .object({
    amount: z.number().meta({ description: 'Amount in the currency.' }),
    currency: currencySchema,
  })
  .meta({ id: 'TestCost' });
export type Money = Readonly<z.output<typeof moneySchema>>;

/** Tokens and cost of the same requests. */
export const usageSumSchema = z
  .object({
    tokens: z.int().meta({ description: 'Tokens that models took, as far as the endpoints count them.' }),
    cost: moneySchema.nullable().meta({
      description:
        'Cost of these tokens; null: the cost of a run is not known, because a model has no price or its endpoint does not count tokens.',
    }),
  })
  .meta({ id: 'TestUsageSum' });
export type UsageSum = z.output<typeof usageSumSchema>;

/** A limit in money. */
export const amountSchema = z.number().gt(0).max(1_000_000_000);

/** US dollars of a field of earlier releases; null: another currency, or not known. */
export const dollarsOf = (cost: Money | null): number | null =>
  cost?.currency === 'USD' ? cost.amount : null;

/** Null: not known. @param currency null: of a release that knew US dollars alone */
export const moneyOf = (amount: number | string | null, currency: string | null): Money | null =>
  amount === null ? null : { amount: Number(amount), currency: currency ?? 'USD' };

export const tokensText = (tokens: number): string => Math.round(tokens).toLocaleString('en-US');

/** `EUR 0.0123`: small amounts keep their first digits. */
export function amountText({ amount, currency }: Money): string {
  const digits = amount === 0 || amount >= 1 ? 2 : Math.min(10, 3 - Math.floor(Math.log10(amount)) - 1);
  return `${currency} ${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: Math.max(2, digits) })}`;
}
