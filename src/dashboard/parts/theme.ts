import { effect, signal } from '@preact/signals';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageName = 'demarc-theme';

function remembered(): Theme {
  try {
    return themes.find((name) => name === localStorage.getItem(storageName)) ?? 'auto';
  } catch {
    return 'auto';
  }
}

export const theme = signal<Theme>(remembered());
/** Incremented whenever the page colours may have changed, so that canvases are repainted. */
export const paint = signal(0);

/** Applies the chosen theme to the document. */
export function applyTheme(): void {
  effect(() => {
    if (theme.value === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
    try {
      localStorage.setItem(storageName, theme.value);
    } catch {
      // Without browser storage the choice lasts until the page is closed.
    }
    paint.value = paint.peek() + 1;
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    paint.value = paint.peek() + 1;
  });
}
