import { query } from '../../../api/client.js';
import { storedText, storeText } from '../../../parts/browser-storage.js';

/** The four steps of "Add number", at one address. */
export const steps = ['number', 'pbx', 'callers', 'test'] as const;
export type StepName = (typeof steps)[number];

export const stepNames: Readonly<Record<StepName, string>> = {
  number: 'Number',
  pbx: 'PBX',
  callers: 'Who may call',
  test: 'Test call',
};

export const addAddress = (step: StepName, phoneNumber?: string): string =>
  `/trunks/add${query({ step, number: phoneNumber?.replace('+', '') })}`;

/** The step of an address; the first one without a number. */
export function stepOf(text: string | undefined, phoneNumber: string | undefined): StepName {
  const step = steps.find((step) => step === text);
  return phoneNumber === undefined || step === undefined ? 'number' : step;
}

export const stepAfter = (step: StepName): StepName => steps[steps.indexOf(step) + 1] ?? 'test';
export const stepBefore = (step: StepName): StepName => steps[steps.indexOf(step) - 1] ?? 'number';

/** The number whose set-up was begun in this browser, with its present step. */
const key = (phoneNumber: string): string => `demarc-setup:${phoneNumber}`;

/** Where the browser stores nothing, the number's page still offers the direction that is missing. */
export const rememberStep = (phoneNumber: string, step: StepName | undefined): void =>
  storeText(key(phoneNumber), step ?? null);

export function rememberedStep(phoneNumber: string): StepName | undefined {
  const text = storedText(key(phoneNumber));
  return steps.find((step) => step === text);
}
