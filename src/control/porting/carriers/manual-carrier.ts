import { planOf } from '../number-plan.js';
import { type Carrier, type CarrierReport, ForgedWebhook, type NumberCheck } from './carrier.js';

/**
 * No carrier's API: an operator carries each request to a carrier by hand, and moves it in the dashboard. Knows of numbers
 * only what the numbering plan says, and says that it does.
 */
export class ManualCarrier implements Carrier {
  readonly name = 'manual';

  constructor(private readonly countries: readonly string[]) {}

  async check(numbers: readonly string[]): Promise<NumberCheck[]> {
    return numbers.map((number) => checkByPlan(number, this.countries));
  }

  async find(): Promise<undefined> {
    return undefined;
  }

  async submit({ requestId }: { readonly requestId: string }): Promise<string> {
    return requestId;
  }

  async status(): Promise<CarrierReport | undefined> {
    return undefined;
  }

  async cancel(): Promise<void> {}

  readWebhook(): never {
    throw new ForgedWebhook();
  }
}

/** What follows from a number's range without a lookup. Mobile carriers ask for a PIN. */
export function checkByPlan(number: string, countries: readonly string[]): NumberCheck {
  const { country, type, isAssigned } = planOf(number);
  const reason = !isAssigned
    ? 'The numbering plan has no such number. Check its digits.'
    : country === undefined || !countries.includes(country)
      ? `Numbers of ${country ?? 'no country'} cannot be ported; supported countries: ${countries.join(', ')}.`
      : null;
  return {
    number,
    portable: reason === null,
    numberType: type,
    pinRequired: type === 'mobile',
    reason,
    source: 'numbering_plan',
  };
}
