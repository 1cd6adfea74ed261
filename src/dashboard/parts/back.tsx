import type { JSX } from 'preact';
import { Icon } from './icons.js';

/** Link to the parent page, before a page's title. */
export const Back = ({ href, text }: { href: string; text: string }): JSX.Element => (
  <a class="back" href={href}>
    <Icon name="back" />
    {text}
  </a>
);
