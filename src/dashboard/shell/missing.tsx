import type { JSX } from 'preact';
import { Page } from './page.js';

export function Missing(): JSX.Element {
  return (
    <Page title="No such page">
      <p>
        There is nothing at this address. <a href="/">Go to the overview</a>.
      </p>
    </Page>
  );
}
