import { effect, signal } from '@preact/signals';
import { storedText, storeText } from './browser-storage.js';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageName = 'demarc-theme';

function remembered(): Theme {
  const text = storedText(storageName);
  return themes.find((name) => name === text) ?? 'auto';
}

export const theme = signal<Theme>(remembered());
/** Incremented whenever the page colours may have changed, so that canvases are repainted. */
export const paint = signal(0);

/** Applies the chosen theme to the document. */
export function applyTheme(): void {
  effect(() => {
    if (theme.value === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
    storeText(storageName, theme.value);
    paint.value = paint.peek() + 1;
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    paint.value = paint.peek() + 1;
  });
}
