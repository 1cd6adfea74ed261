import type { JSX } from 'preact';
import { useLocation } from 'preact-iso';

/** Links between pages that belong together; the present one is marked. */
export function Tabs({
  label,
  places,
}: {
  label: string;
  places: readonly (readonly [path: string, name: string])[];
}): JSX.Element {
  const { path: current } = useLocation();
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {places.map(([path, name]) => (
          <li key={path}>
            <a href={path} aria-current={path === current ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
