import type { JSX } from 'preact';
import { Page } from '../frame/page.js';

export function Missing(): JSX.Element {
  return (
    <Page title="Page not found">
      <p>
        This address does not exist. <a href="/">Go to the overview</a>.
      </p>
    </Page>
  );
}
