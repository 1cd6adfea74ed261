import { useEffect, useRef } from 'preact/hooks';
import type { StepName } from './steps.js';

/** Belongs to the page, which stays while its steps come and go. */
export function useFocusOfStep(step: StepName): void {
  const shown = useRef(step);
  useEffect(() => leadTo(step, shown), [step]);
}

/** Another step begins at the top of the page, and a screen reader hears its name. */
export function leadTo(step: StepName, shown: { current: StepName }): void {
  if (shown.current === step) return;
  shown.current = step;
  scrollTo(0, 0);
  document.querySelector<HTMLElement>('.steps [aria-current=step]')?.focus({ preventScroll: true });
}
