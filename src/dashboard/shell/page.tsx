import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The first page is read from its top anyway; after that, whoever follows a link is taken to the new page's title. */
let isFirst = true;

interface PageProps {
  readonly title: string;
  /** The way back up, before the title. */
  readonly above?: ComponentChildren;
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Page({ title, above, beside, children }: PageProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Demarc`;
  }, [title]);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return (
    <>
      <header class="page-head">
        <div>
          {above}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
        </div>
        {beside !== undefined && <div class="page-aside">{beside}</div>}
      </header>
      {children}
    </>
  );
}
