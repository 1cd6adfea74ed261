import type { ComponentChildren, JSX } from 'preact';
import { useLocation } from 'preact-iso';
import { Page } from '../shell/page.js';

const places = [
  ['/setup', 'Firewall'],
  ['/setup/pbx', 'Your PBX'],
  ['/setup/discover', 'Discover a PBX'],
] as const;

/** Layout of the setup pages, which users need before their first call. */
export function SetupPage({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  const { path } = useLocation();
  return (
    <Page title={title}>
      <nav class="tabs" aria-label="Setup">
        <ul>
          {places.map(([place, name]) => (
            <li key={place}>
              <a href={place} aria-current={path === place ? 'page' : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </Page>
  );
}
