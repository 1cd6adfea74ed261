import type { JSX } from 'preact';
import { type IconName, paths } from './icon-paths.js';

/** Inline SVG, so that no request is needed. Decorative: the text next to an icon has the same meaning. */

export type { IconName } from './icon-paths.js';

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
