import { InvalidRequest } from '../../http/validation.js';
import {
  fewestCallersPerStep,
  type LoadTestOrder,
  maximumCallers,
  maximumCallersPerStep,
  maximumSteps,
} from '../schemas/load-test.js';
import { fewestCallersFor } from './breaking-point.js';

export interface PlannedStep {
  /** Callers at once. */
  readonly concurrency: number;
  /** At most so many in all. */
  readonly callers: number;
}

type Plan = Pick<
  LoadTestOrder,
  | 'concurrency'
  | 'maximum_concurrency'
  | 'concurrency_step'
  | 'callers_per_step'
  | 'seconds_per_step'
  | 'required_success_rate'
>;

const shareOfMaximum = 5;

/** The steps of an order. Throws `InvalidRequest` for steps that could show nothing, or too many callers. */
export function planOf(order: Plan): PlannedStep[] {
  const { callers_per_step: wanted, seconds_per_step: seconds, required_success_rate: required } = order;
  const fewest = fewestCallersFor(required);
  const steps = concurrencies(order).map((concurrency): PlannedStep => {
    if (seconds !== undefined) return { concurrency, callers: maximumCallersPerStep };
    const usual = Math.max(fewestCallersPerStep, fewest, 2 * concurrency);
    return { concurrency, callers: wanted ?? Math.min(maximumCallersPerStep, usual) };
  });
  const short = steps.find(({ concurrency, callers }) => callers < concurrency);
  if (short !== undefined)
    throw InvalidRequest.at(
      'callers_per_step',
      `A step of ${short.concurrency} callers at once needs as many callers at least.`,
    );
  if (wanted !== undefined && wanted < fewest)
    throw InvalidRequest.at(
      'callers_per_step',
      `Fewer than ${fewest} callers cannot show a success rate below ${required}, even if none passes.`,
    );
  const total = steps.reduce((sum, { callers }) => sum + callers, 0);
  if (seconds === undefined && total > maximumCallers)
    throw InvalidRequest.at(
      wanted === undefined ? 'concurrency' : 'callers_per_step',
      `The steps have ${total} callers together; at most ${maximumCallers} are allowed.`,
    );
  return steps;
}

function concurrencies({
  concurrency,
  maximum_concurrency: maximum = 1,
  concurrency_step: step = Math.ceil(maximum / shareOfMaximum),
}: Plan): readonly number[] {
  if (concurrency !== undefined) return concurrency;
  const before = Array.from({ length: Math.ceil(maximum / step) - 1 }, (_, index) => (index + 1) * step);
  if (before.length >= maximumSteps)
    throw InvalidRequest.at(
      'concurrency_step',
      `From ${step} to ${maximum} in steps of ${step} are ${before.length + 1} steps; at most ${maximumSteps} are allowed.`,
    );
  return [...before, maximum];
}
