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
/** Grows whenever the colours on the page may have changed, for what is painted on a canvas. */
export const paint = signal(0);

/** Keeps the document in the chosen theme. */
export function applyTheme(): void {
  effect(() => {
    if (theme.value === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
    try {
      localStorage.setItem(storageName, theme.value);
    } catch {
      // A browser that keeps nothing forgets the choice with the page.
    }
    paint.value = paint.peek() + 1;
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    paint.value = paint.peek() + 1;
  });
}
