import type { ComponentChildren, JSX } from 'preact';
import { useLocation } from 'preact-iso';
import '../style/pathways.css';
import '../style/testing.css';
import { Page } from '../shell/page.js';

const places = [
  ['/testing', 'Scenarios'],
  ['/testing/runs', 'Runs'],
  ['/testing/templates', 'Templates'],
] as const;

/** Layout of the lists of agent testing. */
export function TestingPage({
  title,
  beside,
  children,
}: {
  title: string;
  beside?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  const { path } = useLocation();
  return (
    <Page title={title} beside={beside}>
      <nav class="tabs" aria-label="Testing">
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
